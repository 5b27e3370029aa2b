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
        let depthCount = kinds.contains(.depth) ? size.width * size.height : 0
        let idCount = kinds.contains(.objects) ? size.width * size.height : 0
        var ids: [UInt16] = []
        // Each thread is the first to touch what it paints.
        let meters = [Float](unsafeUninitializedCapacity: depthCount) { meters, paintedDepths in
            ids = [UInt16](unsafeUninitializedCapacity: idCount) { ids, paintedIds in
                paint(
                    TruthCanvas(
                        meters: depthCount > 0 ? meters.baseAddress : nil, ids: idCount > 0 ? ids.baseAddress : nil,
                        idsByObject: idsByObject))
                paintedIds = idCount
            }
            paintedDepths = depthCount
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
