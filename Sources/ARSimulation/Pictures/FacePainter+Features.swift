// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Nose, mouth, eyes and brows.
extension FacePainter {
    func paintNose(on canvas: inout VectorCanvas) {
        let (tip, width) = (0.615, 0.058 * traits.nose)
        for side in [-1.0, 1] {
            canvas.tint(place(side, 0.035, 0.56), radii: Vector2(0.028, 0.09), Vector3(0.8, 0.73, 0.71))
            canvas.tint(place(side, width, tip + 0.012), radii: Vector2(0.03, 0.03), Vector3(0.7, 0.6, 0.58))
            canvas.tint(place(side, 0.5 * width, tip + 0.026), radii: Vector2(0.024, 0.014), Vector3(0.16, 0.1, 0.1))
        }
        canvas.tint(Point2(0.5, tip - 0.008), radii: Vector2(0.032, 0.03), Vector3(1.22, 1.2, 1.18))
        canvas.tint(Point2(0.5, tip + 0.035), radii: Vector2(0.05, 0.02), Vector3(0.7, 0.6, 0.58))
    }

    func paintMouth(on canvas: inout VectorCanvas) {
        let (half, y) = (0.092 * traits.mouth, 0.722)
        let upper = symmetric(
            from: y - 0.016,
            [
                [(0.012, y - 0.024), (0.028, y - 0.024), (half * 0.5, y - 0.016)],
                [(half * 0.75, y - 0.008), (half * 0.9, y - 0.001), (half, y)],
                [(half * 0.6, y + 0.008), (half * 0.3, y + 0.006), (0, y + 0.007)],
            ])
        let lower = symmetric(
            from: y + 0.003,
            [
                [(half * 0.3, y + 0.002), (half * 0.6, y + 0.004), (half, y)],
                [(half * 0.7, y + 0.03), (half * 0.4, y + 0.038), (0, y + 0.038)],
            ])
        canvas.fill(lower, traits.lips)
        canvas.fill(upper, traits.lips * 0.82)
        canvas.tint(Point2(0.5, y + 0.02), radii: Vector2(0.05, 0.012), Vector3(1.35, 1.3, 1.3))
        var line = VectorPath()
        line.move(to: place(-1, half, y))
        line.cubic(place(-1, half * 0.5, y + 0.009), place(-1, half * 0.3, y + 0.004), to: place(1, 0, y + 0.006))
        line.cubic(place(1, half * 0.3, y + 0.004), place(1, half * 0.5, y + 0.009), to: place(1, half, y))
        canvas.stroke(line, width: 0.006, traits.lips * 0.35)
    }

    func paintEye(side: Double, on canvas: inout VectorCanvas) {
        let (half, center) = (0.052 * traits.eyes, place(side, 0.115, 0.47))
        func at(_ x: Double, _ y: Double) -> Point2 { center + Vector2(side * x * half, y * half) }
        var lid = VectorPath()
        lid.move(to: at(-1, 0.12))
        lid.cubic(at(-0.6, -0.5), at(0.3, -0.68), to: at(1, 0))
        var opening = lid
        opening.cubic(at(0.5, 0.52), at(-0.4, 0.55), to: at(-1, 0.12))
        let inside = canvas.coverage(of: side > 0 ? opening : opening.reversed)
        canvas.paint(0.2 * traits.skin + Vector3(0.58, 0.57, 0.56), through: inside)
        canvas.fill(.circle(at(0, -0.06), radius: 0.46 * half), traits.iris * 0.55, within: inside)
        canvas.fill(.circle(at(0, -0.06), radius: 0.4 * half), traits.iris, within: inside)
        canvas.fill(.circle(at(0, -0.06), radius: 0.2 * half), Vector3(0.03, 0.03, 0.03), within: inside)
        canvas.fill(.circle(at(-0.14 * side, -0.2), radius: 0.08 * half), Vector3(0.97, 0.97, 0.97), within: inside)
        canvas.stroke(lid, width: 0.17 * half, traits.skin * 0.18)
        var crease = VectorPath()
        crease.move(to: at(-0.85, -0.3))
        crease.cubic(at(-0.4, -0.8), at(0.4, -0.92), to: at(1.05, -0.3))
        canvas.stroke(crease, width: 0.06 * half, traits.skin * 0.55)
        var lower = VectorPath()
        lower.move(to: at(1, 0))
        lower.cubic(at(0.5, 0.52), at(-0.4, 0.55), to: at(-1, 0.12))
        canvas.stroke(lower, width: 0.06 * half, traits.skin * 0.45)
    }

    func paintBrow(side: Double, on canvas: inout VectorCanvas) {
        let thickness = 0.013 * traits.brows
        var brow = VectorPath()
        brow.move(to: place(side, 0.05, 0.412))
        brow.cubic(place(side, 0.09, 0.392), place(side, 0.145, 0.388), to: place(side, 0.19, 0.415))
        brow.cubic(
            place(side, 0.15, 0.40 + thickness), place(side, 0.09, 0.406 + thickness),
            to: place(side, 0.052, 0.42 + thickness))
        brow.line(to: place(side, 0.05, 0.412))
        canvas.fill(brow, traits.hairColor * 0.8 + traits.skin * 0.06)
    }
}
