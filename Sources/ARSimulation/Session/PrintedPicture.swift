// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// What there is to recognise on a thing that wears a flat picture.
struct PrintedPicture: Sendable {
    /// What is printed, for pictures by which an image target can be known: `emblem-17`, or a file's name.
    let target: String?
    /// The corners of what detectors see as a rectangle, where it is one: those of a print's sheet, or of a whole quad.
    let outline: [NormalizedImagePoint]?
    /// The code in the picture.
    let code: PrintedCode?

    /// What is on a thing, or `nil` where there is no picture.
    init?(on object: StagedObject, of scene: Scene) throws(SceneError) {
        guard let size = object.pictureSize, let name = object.material else { return nil }
        let material = scene.material(name)
        guard material.kind.isPicture || object.kind == .print else { return nil }
        target = material.targetName
        code = try scene.printedCode(of: material)
        switch object.kind {
        case .print:
            let border = scene.allPrints.first { $0.name == object.name }?.borderMeters ?? 0
            outline = NormalizedImagePoint.pictureCorners.map { corner in
                let (x, y) = (2 * corner.x - 1, 2 * corner.y - 1)
                return NormalizedImagePoint(corner.x + x * border / size.x, corner.y + y * border / size.y)
            }
        case .quad: outline = NormalizedImagePoint.pictureCorners
        default: outline = nil
        }
    }
}

extension SceneStage {
    /// The things of a scene that wear a flat picture.
    func prints(of scene: Scene) throws(SceneError) -> [(object: StagedObject, picture: PrintedPicture)] {
        var prints: [(object: StagedObject, picture: PrintedPicture)] = []
        for object in objects {
            guard let picture = try PrintedPicture(on: object, of: scene) else { continue }
            prints.append((object, picture))
        }
        return prints
    }
}

extension Scene.Material {
    /// By what name an image target with this picture is known.
    fileprivate var targetName: String? {
        switch kind {
        case .emblem: "emblem-\(number)" + (isOneInk ? ImageTargetTruth.oneInkSuffix : "")
        case .picture: pictureName
        default: nil
        }
    }

    /// The name of the picture's file, without folders and extension.
    private var pictureName: String {
        let file = picture.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }
}
