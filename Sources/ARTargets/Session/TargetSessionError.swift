// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Why a step of a target session was not done.
///
/// The codes are those by which the football clubs' program tells its user what went wrong; a step that comes at the wrong
/// time fails with its own code.
public struct TargetSessionError: Error, Hashable, Sendable {
    /// What was to be done.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// Something that no other code stands for.
        case `internal` = -1
        /// The session was to be made ready.
        case initialization = 100
        /// The camera was to be opened.
        case cameraInitialization = 110
        /// The camera was to give pictures.
        case cameraStart = 111
        /// The camera was to stop giving pictures.
        case cameraStop = 112
        /// The camera was to be closed.
        case cameraDeinitialization = 113
        /// The recogniser was to be made.
        case trackerInitialization = 120
        /// A database was to be loaded or activated.
        case trackerLoading = 121
        /// The recogniser was to start.
        case trackerStart = 122
        /// The recogniser was to stop.
        case trackerStop = 123
        /// A database was to be deactivated or unloaded.
        case trackerUnloading = 124
        /// The recogniser was to be taken apart.
        case trackerDeinitialization = 125
        /// The camera was to be used, and gives no pictures.
        case cameraNotStarted = 150
    }

    /// What was to be done.
    public var code: Code
    /// Why it was not, and what to do.
    public var reason: String

    /// An error with that code.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension TargetSessionError: CustomStringConvertible {
    public var description: String { "\(code) (\(code.rawValue)): \(reason)" }
}
