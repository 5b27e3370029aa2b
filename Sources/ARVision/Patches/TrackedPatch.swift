// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Where a tracker found its patch in one picture.
public struct TrackedPatch: Hashable, Sendable {
    /// The box; where the patch is lost, the last in which it was seen.
    public var box: PatchBox
    /// 0 … 1: how surely the box shows what was tracked so far. Below ``PatchTracker/Configuration/lossThreshold`` the
    /// patch is lost.
    public var confidence: Double
    /// Whether the patch was not found.
    public var isLost: Bool
    /// How alike the box's light is to the most alike of what the tracker remembers, −1 … 1, after it was fitted; `nil`
    /// where nothing fitted, and the box is as good as the filter's answer: to about an eighth of its side.
    public var correlation: Double?

    /// A finding.
    public init(box: PatchBox, confidence: Double, isLost: Bool, correlation: Double?) {
        self.box = box
        self.confidence = confidence
        self.isLost = isLost
        self.correlation = correlation
    }
}
