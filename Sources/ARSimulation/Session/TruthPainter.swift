// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// Paints what the centre of each pixel of a frame sees.
///
/// Depths are those of the ray caster, which counts in single precision: a ten-thousandth of a millimetre a metre away.
/// Law: `TruthPictureTests.depthsLieOnTrueSurfaces`. Sendable although the compiler cannot see it: threads paint different
/// rows, each at its own desk.
final class TruthPainter: @unchecked Sendable {
    private let size: ImageSize
    private let threads: Int
    private let table: RayTable
    /// The id of each surface's thing.
    private let ids: [UInt16]
    private let desks: [Desk]

    /// A thread's room for the rays of a row.
    private struct Desk {
        let rays: RayBatch
        let hits: HitBatch
    }

    init(_ session: SceneSession) {
        size = session.scene.camera.size
        threads = session.threads
        table = RayTable(camera: session.scene.camera.model, size: size)
        ids = session.stage.objects.enumerated().flatMap { index, object in
            object.objectNumbers.map { _ in UInt16(exactly: index + 1) ?? 0 }
        }
        desks = (0..<threads).map { [size] _ in
            Desk(rays: RayBatch(capacity: size.width, near: 0), hits: HitBatch(capacity: size.width))
        }
    }

    deinit { for desk in desks { desk.hits.deallocate() } }

    /// The pictures of a shot; everything that moves has its place in the ray caster already.
    func pictures(of shot: Shot, in raycaster: Raycaster, kinds: Set<TruthPictureKind>) -> TruthPictures {
        guard !kinds.isEmpty else { return TruthPictures() }
        let count = size.width * size.height
        var meters = [Float](repeating: 0, count: count)
        var things = [UInt16](repeating: 0, count: count)
        meters.withUnsafeMutableBufferPointer { meters in
            things.withUnsafeMutableBufferPointer { things in
                nonisolated(unsafe) let (meters, things) = (meters, things)
                Parallel.run(count: size.height, threads: threads) { [self] row, thread in
                    let pixels = row * size.width..<(row + 1) * size.width
                    paint(
                        RowView(row, of: shot, table: table), with: raycaster, on: desks[thread],
                        meters: UnsafeMutableBufferPointer(rebasing: meters[pixels]),
                        things: UnsafeMutableBufferPointer(rebasing: things[pixels]))
                }
            }
        }
        return TruthPictures(
            depth: kinds.contains(.depth) ? DepthPicture(size: size, meters: meters) : nil,
            objects: kinds.contains(.objects) ? ObjectPicture(size: size, ids: things) : nil)
    }

    private func paint(
        _ view: RowView, with raycaster: Raycaster, on desk: Desk, meters: UnsafeMutableBufferPointer<Float>,
        things: UnsafeMutableBufferPointer<UInt16>
    ) {
        for column in meters.indices {
            desk.rays.set(
                column, origin: view.origin, direction: view.direction(column),
                far: view.isValid(column) ? .infinity : -1, time: Float(view.time))
        }
        raycaster.intersect(desk.rays, count: meters.count, hits: desk.hits)
        for column in meters.indices {
            let hit = desk.hits[column]
            guard hit.object >= 0 else { continue }
            meters[column] = Float(-view.directionInCamera(column).z) * hit.depth
            things[column] = ids[Int(hit.object)]
        }
    }
}

extension SceneSession {
    /// The things in pictures of objects, numbered from 1 in the order of their surfaces, as far as 16 bits can count.
    var truthObjects: [TruthObject] {
        stage.objects.prefix(Int(UInt16.max)).enumerated().map {
            TruthObject(id: $0 + 1, name: $1.name, kind: $1.kind.rawValue)
        }
    }
}
