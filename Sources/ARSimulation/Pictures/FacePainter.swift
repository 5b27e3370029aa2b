// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Paints a face on a canvas one unit wide and high, from the back to the front.
struct FacePainter {
    let traits: FaceTraits
    let surroundings: Face.Surroundings

    func paint(on canvas: inout VectorCanvas) {
        if surroundings == .portrait {
            paintBackHair(on: &canvas)
            paintBody(on: &canvas)
            paintEars(on: &canvas)
        }
        canvas.fill(skin, traits.skin)
        paintRelief(on: &canvas)
        paintBeard(on: &canvas)
        paintNose(on: &canvas)
        paintMouth(on: &canvas)
        for side in [-1.0, 1] {
            paintEye(side: side, on: &canvas)
            paintBrow(side: side, on: &canvas)
        }
        paintPores(on: &canvas)
        paintHair(on: &canvas)
        if traits.hasGlasses { paintGlasses(on: &canvas) }
    }

    /// A place by its distance from the face's axis on a side (−1 is the viewer's left) and from the top.
    func place(_ side: Double, _ x: Double, _ y: Double) -> Point2 { Point2(0.5 + side * x, y) }

    /// A figure that is its own mirror image, from the pieces of its right half: three places each.
    func symmetric(from top: Double, _ pieces: [[(Double, Double)]]) -> VectorPath {
        var path = VectorPath()
        path.move(to: place(1, 0, top))
        for piece in pieces {
            path.cubic(
                place(1, piece[0].0, piece[0].1), place(1, piece[1].0, piece[1].1),
                to: place(1, piece[2].0, piece[2].1))
        }
        let ends: [(Double, Double)] = [(0, top)] + pieces.map { $0[2] }
        for (piece, end) in zip(pieces, ends).reversed() {
            path.cubic(
                place(-1, piece[1].0, piece[1].1), place(-1, piece[0].0, piece[0].1), to: place(-1, end.0, end.1))
        }
        return path
    }

    private var head: VectorPath {
        let jaw = traits.jaw
        return symmetric(
            from: 0.115,
            [
                [(0.17, 0.115), (0.275, 0.24), (0.275, 0.47)],
                [(0.275, 0.60), (0.25 * jaw, 0.70), (0.2 * jaw, 0.775)],
                [(0.14 * jaw, 0.86), (0.07, 0.885), (0, 0.885)],
            ])
    }

    /// What is painted as the face's skin.
    private var skin: VectorPath {
        surroundings == .portrait ? head : .rectangle(Point2(0, 0), Point2(1, 1))
    }

    // MARK: - Around the face

    private func paintBody(on canvas: inout VectorCanvas) {
        canvas.fill(
            symmetric(
                from: 0.9,
                [
                    [(0.1, 0.9), (0.18, 0.88), (0.2, 0.88)], [(0.38, 0.93), (0.5, 0.97), (0.55, 1.05)],
                    [(0.3, 1.05), (0.2, 1.05), (0, 1.05)],
                ]), traits.shirt)
        canvas.fill(
            symmetric(
                from: 0.7,
                [
                    [(0.08, 0.7), (0.16, 0.7), (0.16, 0.74)], [(0.16, 0.82), (0.16, 0.86), (0.2, 0.89)],
                    [(0.14, 0.96), (0.06, 0.98), (0, 0.98)],
                ]), traits.skin * 0.86)
        canvas.tint(Point2(0.5, 0.86), radii: Vector2(0.24, 0.12), Vector3(0.45, 0.4, 0.38))
    }

    private func paintEars(on canvas: inout VectorCanvas) {
        for side in [-1.0, 1] {
            canvas.fill(.ellipse(place(side, 0.282, 0.51), radii: Vector2(0.035, 0.075)), traits.skin * 0.92)
            canvas.tint(place(side, 0.285, 0.51), radii: Vector2(0.028, 0.06), Vector3(0.62, 0.52, 0.5))
        }
    }

    private func paintBackHair(on canvas: inout VectorCanvas) {
        switch traits.hair {
        case .long:
            fillHair(
                symmetric(
                    from: 0.04,
                    [
                        [(0.24, 0.04), (0.35, 0.2), (0.34, 0.45)], [(0.34, 0.7), (0.38, 0.85), (0.34, 0.95)],
                        [(0.2, 1.0), (0.1, 0.98), (0, 0.98)],
                    ]), on: &canvas)
        case .curly: fillHair(.ellipse(Point2(0.5, 0.32), radii: Vector2(0.335, 0.29)), on: &canvas)
        case .short, .parted, .receding: break
        }
    }

    // MARK: - Skin

    /// The light and the shadows of a face that is lit from above.
    private func paintRelief(on canvas: inout VectorCanvas) {
        let face = canvas.coverage(of: skin)
        let shadow = Vector3(0.62, 0.52, 0.48)
        let light = Vector3(1.22, 1.2, 1.17)
        for side in [-1.0, 1] {
            canvas.tint(place(side, 0.31, 0.6), radii: Vector2(0.12, 0.36), shadow, within: face)
            canvas.tint(place(side, 0.115, 0.455), radii: Vector2(0.11, 0.075), Vector3(0.66, 0.56, 0.53))
            canvas.tint(place(side, 0.06, 0.45), radii: Vector2(0.045, 0.06), Vector3(0.72, 0.62, 0.6))
            canvas.tint(place(side, 0.15, 0.585), radii: Vector2(0.1, 0.07), light)
            canvas.tint(place(side, 0.16, 0.63), radii: Vector2(0.1, 0.09), Vector3(1.04, 0.9, 0.9))
            canvas.tint(place(side, 0.09, 0.675), radii: Vector2(0.025, 0.06), Vector3(0.84, 0.78, 0.76))
        }
        canvas.tint(Point2(0.5, 0.29), radii: Vector2(0.2, 0.12), Vector3(1.18, 1.17, 1.15))
        canvas.tint(Point2(0.5, 0.5), radii: Vector2(0.026, 0.13), Vector3(1.25, 1.23, 1.2))
        canvas.tint(Point2(0.5, 0.82), radii: Vector2(0.08, 0.05), Vector3(1.12, 1.1, 1.08))
        canvas.tint(Point2(0.5, 0.775), radii: Vector2(0.08, 0.022), Vector3(0.74, 0.66, 0.64))
        canvas.tint(Point2(0.5, 0.9), radii: Vector2(0.25, 0.06), shadow, within: face)
    }

    /// The unevenness of skin.
    private func paintPores(on canvas: inout VectorCanvas) {
        let noise = LatticeNoise(seed: traits.seed)
        let texel = 1 / Double(canvas.size.width)
        canvas.shade(within: canvas.coverage(of: skin)) { place in
            1 + 0.06 * noise.fractal(place.x * 9, place.y * 9, octaves: 6, finest: 9 * texel)
        }
    }

    private func paintBeard(on canvas: inout VectorCanvas) {
        let chin = symmetric(
            from: 0.665,
            [
                [(0.05, 0.655), (0.09, 0.67), (0.115, 0.71)], [(0.15, 0.66), (0.21, 0.6), (0.262, 0.56)],
                [(0.27, 0.7), (0.2, 0.91), (0, 0.9)],
            ])
        let moustache = symmetric(
            from: 0.668,
            [
                [(0.05, 0.655), (0.09, 0.675), (0.115, 0.735)], [(0.08, 0.715), (0.04, 0.705), (0, 0.71)],
            ])
        switch traits.beard {
        case .none: break
        case .stubble:
            let dark = Vector3(0.6, 0.62, 0.66)
            canvas.tint(Point2(0.5, 0.79), radii: Vector2(0.27, 0.19), dark, within: canvas.coverage(of: skin))
        case .moustache: fillHair(moustache, on: &canvas)
        case .full:
            fillHair(chin, on: &canvas)
            canvas.fill(.ellipse(Point2(0.5, 0.727), radii: Vector2(0.085, 0.03)), traits.skin * 0.85)
        }
    }

    // MARK: - Hair and glasses

    private func paintHair(on canvas: inout VectorCanvas) {
        switch traits.hair {
        case .short: fillHair(cap(rim: 0.6, fringe: 0.235, temple: (0.235, 0.33)), on: &canvas)
        case .parted: fillHair(cap(rim: 0.55, fringe: 0.2, temple: (0.25, 0.36)), on: &canvas)
        case .curly: fillHair(cap(rim: 0.5, fringe: 0.27, temple: (0.24, 0.35)), on: &canvas)
        case .long: fillHair(cap(rim: 0.95, fringe: 0.23, temple: (0.225, 0.42)), on: &canvas)
        case .receding: fillHair(cap(rim: 0.5, fringe: 0.165, temple: (0.19, 0.235)), on: &canvas)
        }
    }

    /// Hair over the skull: down to `rim` beside the face, with its front edge at the fringe and the temples.
    private func cap(rim: Double, fringe: Double, temple: (x: Double, y: Double)) -> VectorPath {
        let isHead = surroundings == .head
        let (top, width) = (isHead ? -0.1 : 0.06, isHead ? 0.6 : 0.305)
        return symmetric(
            from: top,
            [
                [(0.2, top), (width, 0.18), (width, 0.4)],
                [(width, 0.4 + 0.3 * (rim - 0.4)), (0.295, rim - 0.05), (0.285, rim)],
                [(0.268, rim - 0.08), (temple.x + 0.02, temple.y + 0.1), (temple.x, temple.y)],
                [(temple.x - 0.04, fringe), (0.1, fringe - 0.01), (0, fringe)],
            ])
    }

    /// Fills a figure with strands.
    private func fillHair(_ path: VectorPath, on canvas: inout VectorCanvas) {
        let coverage = canvas.coverage(of: path)
        canvas.paint(traits.hairColor, through: coverage)
        let noise = LatticeNoise(seed: traits.seed ^ 1)
        let texel = 1 / Double(canvas.size.width)
        let isCurly = traits.hair == .curly
        canvas.shade(within: coverage) { place in
            // Strands run down from the parting at the crown.
            let (x, y) = (place.x - 0.5, place.y + 0.1)
            let strand =
                isCurly
                ? noise.fractal(place.x * 30, place.y * 30, octaves: 3, finest: 30 * texel)
                : noise.fractal(60 * x / (0.3 + y), 5 * y, octaves: 3, finest: 90 * texel)
            return 1 + 0.7 * strand
        }
    }

    private func paintGlasses(on canvas: inout VectorCanvas) {
        let frame = Vector3(0.12, 0.11, 0.11)
        for side in [-1.0, 1] {
            let center = place(side, 0.115, 0.475)
            canvas.stroke(
                .rectangle(center - Vector2(0.085, 0.058), center + Vector2(0.085, 0.062), cornerRadius: 0.04),
                width: 0.01, frame)
            canvas.stroke(.polyline([place(side, 0.2, 0.46), place(side, 0.28, 0.45)]), width: 0.01, frame)
        }
        canvas.stroke(.polyline([place(-1, 0.03, 0.465), place(1, 0.03, 0.465)]), width: 0.01, frame)
    }
}
