// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of drawings in a folder: each is named after its picture; where several pictures have a name, all but the first
/// are numbered, past the names that other pictures have.
struct DrawingFiles {
    /// One for each picture.
    let files: [URL]
    private let folder: URL

    init(of pictures: [URL], in folder: URL) {
        self.folder = folder
        let names = pictures.map { $0.deletingPathExtension().lastPathComponent }
        let given = Set(names)
        var taken: Set<String> = []
        files = names.map { name in
            let numbered = (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) && !given.contains($0) }
            let free = taken.contains(name) ? numbered ?? name : name
            taken.insert(free)
            return folder.appendingPathComponent("\(free).png")
        }
    }

    /// The files and their folder, to be made ready.
    var outputs: Outputs { Outputs(files: files, folders: [folder]) }
}
