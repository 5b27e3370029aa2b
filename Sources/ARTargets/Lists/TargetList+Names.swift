// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension TargetList {
    /// The name of the target at that place; its record is not read.
    public func name(at position: Int) -> String { storage.entries[position].name }

    /// The place of the target of that name; `nil` where there is none. Names are compared, records are not read.
    public func index(named name: String) -> Int? { indices.first { storage.entries[$0].name == name } }
}
