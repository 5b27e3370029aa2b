// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Why pictures cannot become a database, or a file is none.
public enum TargetDatabaseError: Error, Hashable, Sendable {
    /// Two targets have one name.
    case nameTaken(name: String)
}
