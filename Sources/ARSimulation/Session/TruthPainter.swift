// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// Makes pictures of what the centre of each pixel of a frame sees, out of what the renderer finds out for the light.
///
/// Depths on flat things are exact to single precision's last digits; on meshes they are the ray caster's. Law:
/// `TruthPictureTests.depthsLieOnTrueSurfaces`.
struct TruthPainter: Sendable {
    let size: ImageSize
    let kinds: Set<TruthPictureKind>
    /// The id of each surface's thing, by object number; needed for ids alone.
    var idsByObject: [UInt16] = []

    /// The pictures of a shot, of which no light is wanted.
    func pictures(of shot: Shot, by renderer: Renderer) -> TruthPictures { pictures { renderer.paint($0, of: shot) } }

    /// The pictures that a function fills: it gets a canvas, and must paint all of it.
    func pictures(_ paint: (TruthCanvas) -> Void) -> TruthPictures {
        let count = size.width * size.height
        var (meters, ids) = ([Float](), [UInt16]())
        if kinds.contains(.depth) { meters = [Float](repeating: 0, count: count) }
        if kinds.contains(.objects) { ids = [UInt16](repeating: 0, count: count) }
        meters.withUnsafeMutableBufferPointer { meters in
            ids.withUnsafeMutableBufferPointer { ids in
                paint(
                    TruthCanvas(
                        meters: kinds.contains(.depth) ? meters.baseAddress : nil,
                        ids: kinds.contains(.objects) ? ids.baseAddress : nil, idsByObject: idsByObject))
            }
        }
        return TruthPictures(
            depth: kinds.contains(.depth) ? DepthPicture(size: size, meters: meters) : nil,
            objects: kinds.contains(.objects) ? ObjectPicture(size: size, ids: ids) : nil)
    }
}

extension SceneSession {
    /// The painter of the pictures that the truth has; `nil` where it has none.
    var truthPainter: TruthPainter? {
        guard !truthPictures.isEmpty else { return nil }
        return TruthPainter(
            size: scene.camera.size, kinds: truthPictures,
            idsByObject: stage.objects.enumerated().flatMap { index, object in
                object.objectNumbers.map { _ in UInt16(exactly: index + 1) ?? 0 }
            })
    }

    /// The things in pictures of objects, numbered from 1 in the order of their surfaces, as far as 16 bits can count.
    var truthObjects: [TruthObject] {
        stage.objects.prefix(Int(UInt16.max)).enumerated().map {
            TruthObject(id: $0 + 1, name: $1.name, kind: $1.kind.rawValue)
        }
    }
}
