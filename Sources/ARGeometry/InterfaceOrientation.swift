// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How the app's interface is turned, as UIKit names it. The sensor's own orientation is `landscapeRight`: there the
/// picture is shown as it was recorded.
public enum InterfaceOrientation: String, Hashable, Sendable, CaseIterable {
    /// Home button below.
    case portrait
    /// Home button above.
    case portraitUpsideDown
    /// Home button to the left.
    case landscapeLeft
    /// Home button to the right: the sensor's own orientation.
    case landscapeRight
}
