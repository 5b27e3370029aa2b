// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Which surfaces the centres of a pixel and of the eight around it see.
struct NearSurfaces {
    /// The most that there may be.
    static let most = 9

    private(set) var meshes: MeshTargets = []
    private let list: UnsafeMutablePointer<Int32>
    private var count = 0

    /// Looks around a pixel. The rectangles stand in the list, each once, which has room for the ``most``.
    @inline(__always)
    init(
        aroundColumn column: Int, row: Int, size: ImageSize, objects: UnsafePointer<Int32>, surfaces: SurfaceTable,
        list: UnsafeMutablePointer<Int32>
    ) {
        self.list = list
        let columns = max(column - 1, 0)...min(column + 1, size.width - 1)
        var last: Int32 = -1
        for y in max(row - 1, 0)...min(row + 1, size.height - 1) {
            let row = objects + y * size.width
            for column in columns {
                let object = row[column]
                if object != last { add(object, surfaces) }
                last = object
            }
        }
    }

    /// The rectangles, by object number.
    var rectangles: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(start: list, count: count) }

    private mutating func add(_ object: Int32, _ surfaces: SurfaceTable) {
        guard object >= 0 else { return }
        switch surfaces[object] {
        case .mesh(let mesh): meshes.formUnion(mesh.pointee.targets)
        case .rectangle:
            for index in 0..<count where list[index] == object { return }
            list[count] = object
            count += 1
        }
    }
}
