// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension StageBuilder {
    /// Adds a print: the picture is a rectangle of its own, the sheet leaves it out.
    mutating func add(_ print: Scene.Print, gloss: Double) {
        let first = surfaces.count
        let motion = ObjectMotion(worldFromRest: print.worldFromPrint, print.motion)
        let isMoving = print.motion != nil
        addRectangle(
            .identity, size: print.size, at: motion, isMoving: isMoving,
            look: .material(print.material, extent: print.size, pattern: print.name))
        let sheet = SurfaceMesh.sheet(picture: print.size, border: print.borderMeters, thickness: print.thicknessMeters)
        let paper = SIMD4<Float>(ColorTransfer.linear(fromSRGB: print.paperColor), Float(gloss))
        add(
            sheet, at: motion, isMoving: isMoving,
            look: .colors([SIMD4<Float>](repeating: paper, count: sheet.positions.count)))
        add(
            { numbers in
                StagedObject(
                    name: print.name, kind: .print, material: print.material, objectNumbers: numbers,
                    motion: .thing(motion),
                    samples: SurfaceMesh.rectangle(size: print.size).samples(count: Self.sampleCount),
                    pictureSize: print.size)
            }, from: first)
    }

    /// Adds a flag with its pole.
    mutating func add(_ flag: Scene.Flag, seed: UInt64) {
        let first = surfaces.count
        let worldFromFlag = flag.worldFromFlag
        let cloth = WavingCloth(flag, seed: seed)
        add(
            StagedCloth(cloth: cloth, worldFromFlag: worldFromFlag),
            look: .material(flag.material, extent: flag.size, pattern: flag.name))
        if flag.poleMeters > 0 {
            let pole = worldFromFlag * SurfaceMesh.pole(flag: flag.size, below: flag.poleMeters)
            let metal = SIMD4<Float>(ColorTransfer.linear(fromSRGB: Vector3(0.72, 0.72, 0.70)), 0.5)
            addFixed(pole, look: .colors([SIMD4<Float>](repeating: metal, count: pole.positions.count)))
        }
        add(
            { numbers in
                StagedObject(
                    name: flag.name, kind: .flag, material: flag.material, objectNumbers: numbers,
                    motion: .thing(ObjectMotion(worldFromRest: worldFromFlag)),
                    samples: SurfaceMesh.rectangle(size: flag.size).samples(count: Self.sampleCount),
                    pictureSize: flag.size, cloth: cloth)
            }, from: first)
    }
}

extension SurfaceMesh {
    /// A sheet of paper whose front lies in the plane y = 0, without the part of its front that a picture covers.
    static func sheet(picture: Vector2, border: Double, thickness: Double) -> SurfaceMesh {
        let outer = picture + 2 * border
        let back = RigidTransform(
            rotation: .facing(Vector3(0, -1, 0)), translation: Point3(0, -thickness, 0))
        var sheet = back * rectangle(size: outer)
        func addSide(facing normal: Vector3, distance: Double, length: Double) {
            let pose = RigidTransform(
                rotation: .facing(normal), translation: normal * distance + Vector3(0, -thickness / 2, 0))
            sheet = sheet + pose * rectangle(size: Vector2(length, thickness))
        }
        for sign in [-1.0, 1.0] {
            addSide(facing: Vector3(sign, 0, 0), distance: outer.x / 2, length: outer.y)
            addSide(facing: Vector3(0, 0, sign), distance: outer.y / 2, length: outer.x)
            guard border > 0 else { continue }
            func strip(_ center: Vector2, _ size: Vector2) -> SurfaceMesh {
                RigidTransform(translation: Point3(center.x, 0, center.y)) * rectangle(size: size)
            }
            sheet = sheet + strip(Vector2(0, sign * (picture.y + border) / 2), Vector2(outer.x, border))
            sheet = sheet + strip(Vector2(sign * (picture.x + border) / 2, 0), Vector2(border, picture.y))
        }
        return sheet
    }

    /// A pole along the left edge of a flag, with a ball on top, in the flag's frame: −Z is up.
    static func pole(flag size: Vector2, below: Double) -> SurfaceMesh {
        let radius = 0.012 * max(size.y, 0.2)
        let (top, bottom) = (-size.y / 2 - 0.06 * size.y, size.y / 2 + below)
        let x = -size.x / 2 - radius
        let flagFromPole = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)),
            translation: Point3(x, 0, (top + bottom) / 2))
        let ball = RigidTransform(translation: Point3(x, 0, top - radius)) * sphere(radius: 2 * radius)
        return flagFromPole
            * (cylinderSides(radius: radius, height: bottom - top)
                + cylinderEnds(radius: radius, height: bottom - top)) + ball
    }
}
