// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CFeatures

/// Where another thing lies over a print, in fields of its template.
struct PrintCover {
    private typealias Row = UInt16

    private let rows: [Row]
    private let template: ImageSize

    /// - Parameter rows: of a kernel: a bit for each field of a row, the first column in the lowest.
    init<Rows>(rows: Rows, template: TemplateView) {
        self.rows = withUnsafeBytes(of: rows) { Array($0.bindMemory(to: Row.self)) }
        self.template = ImageSize(width: template.width, height: template.height)
    }

    /// Whether a place of the print, (0, 0) its upper left corner and (1, 1) its lower right one, is covered.
    func contains(_ place: Vector2) -> Bool {
        let field = Int(CFEATURES_FIELD_PX)
        let column = Int(place.x * Double(template.width)) / field, row = Int(place.y * Double(template.height)) / field
        return rows.indices.contains(row) && (0..<Row.bitWidth).contains(column) && rows[row] >> Row(column) & 1 == 1
    }
}
