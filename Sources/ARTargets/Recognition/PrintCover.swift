// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CFeatures

/// Where another thing lies over a print, in fields of 8×8 pixels of its template.
struct PrintCover {
    private let rows: [UInt16]
    private let template: ImageSize

    /// - Parameter rows: of a kernel: a bit for each field of a row, the first column in the lowest.
    init<Rows>(rows: Rows, template: TemplateView) {
        self.rows = withUnsafeBytes(of: rows) { Array($0.bindMemory(to: UInt16.self)) }
        self.template = ImageSize(width: template.width, height: template.height)
    }

    /// Whether a place of the print, (0, 0) its upper left corner and (1, 1) its lower right one, is covered.
    func contains(_ place: Vector2) -> Bool {
        let column = Int(place.x * Double(template.width)) / 8, row = Int(place.y * Double(template.height)) / 8
        return rows.indices.contains(row) && (0..<16).contains(column) && rows[row] >> UInt16(column) & 1 == 1
    }
}
