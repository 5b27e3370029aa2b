// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Paints the design of an emblem, layer by layer.
struct EmblemPainter {
    let design: EmblemDesign
    /// Set where everything is printed in one ink.
    let inks: EmblemInks?

    /// Paints the emblem on a canvas one unit wide and high.
    func paint(on canvas: inout VectorCanvas) {
        let outline = design.shape.outline
        let within = canvas.coverage(of: outline)
        canvas.paint(ink(design.field), through: within)
        if case .ring(let hasLetters) = design.layout {
            paintRing(hasLetters: hasLetters, within: within, on: &canvas)
        } else {
            canvas.fill(design.division.path(center: design.shape.center), ink(design.second), within: within)
            paintChief(within: within, on: &canvas)
            paintFigures(within: within, on: &canvas)
        }
        paintBorder(outline, within: within, on: &canvas)
    }

    private func ink(_ color: EmblemColor) -> Vector3 {
        inks.map { color.isLight ? $0.light : $0.dark } ?? color.value
    }

    /// The darkest colour: what the border is made of, so that the emblem stands out from white paper.
    private var dark: EmblemColor {
        [design.field, design.second, design.figure].first { !$0.isLight } ?? .black
    }

    /// The lightest colour.
    private var light: EmblemColor {
        [design.field, design.second, design.figure].first { $0.isLight } ?? .white
    }

    private func opposite(of color: EmblemColor) -> EmblemColor { color.isLight ? dark : light }

    private func paintBorder(_ outline: VectorPath, within: Coverage, on canvas: inout VectorCanvas) {
        let hasRing = if case .ring = design.layout { true } else { false }
        if design.hasInnerBorder, !hasRing {
            canvas.stroke(outline, width: 0.085, ink(light), within: within)
        }
        canvas.stroke(outline, width: 0.045, ink(dark), within: within)
    }

    // MARK: - The field

    private func paintChief(within: Coverage, on canvas: inout VectorCanvas) {
        guard let chief = design.chief else { return }
        let bottom = 0.29
        canvas.fill(.rectangle(Point2(0, 0), Point2(1, bottom)), ink(opposite(of: design.field)), within: within)
        canvas.fill(.rectangle(Point2(0, bottom), Point2(1, bottom + 0.018)), ink(design.field), within: within)
        switch chief {
        case .letters: write(design.initials, center: Point2(0.5, 0.18), height: 0.12, design.field, on: &canvas)
        case .stars:
            for x in [0.3, 0.5, 0.7] {
                canvas.fill(
                    VectorPath.star(points: 5, inner: 0.42)
                        .transformed(by: .placing(at: Point2(x, 0.185), scale: 0.07)), ink(design.field))
            }
        }
    }

    private func paintFigures(within: Coverage, on canvas: inout VectorCanvas) {
        let center = design.chief == nil ? design.shape.center : Point2(0.5, 0.56)
        let room = design.chief == nil ? 0.27 : 0.21
        switch design.layout {
        case .ring: break
        case .charge:
            let ground = paintDisc(center, radius: room * 1.12, on: &canvas)
            let scale = ground == design.field && design.division.leavesTheMiddle ? room : room * 0.82
            paintCharge(at: center, scale: scale, on: ground, &canvas)
            writeYear(on: &canvas, below: center.y + room * 1.12)
        case .letters:
            let ground = paintDisc(center, radius: room * 1.12, on: &canvas)
            writeInitials(center: center, room: room * 1.12, figure(on: ground), on: &canvas)
            writeYear(on: &canvas, below: center.y + room * 1.12)
        case .threeCharges:
            for place in [Point2(0.32, 0.27), Point2(0.68, 0.27), Point2(0.5, 0.66)] {
                paintCharge(at: place, scale: 0.15, on: design.field, &canvas)
            }
        case .band:
            paintBand(within: within, on: &canvas)
        }
    }

    /// A disc for what cannot lie on a divided field; the colour on which that lies then.
    private func paintDisc(_ center: Point2, radius: Double, on canvas: inout VectorCanvas) -> EmblemColor {
        guard !design.division.leavesTheMiddle, !design.isDarkPair else { return design.field }
        canvas.fill(.circle(center, radius: radius + 0.022), ink(dark))
        canvas.fill(.circle(center, radius: radius), ink(light))
        return light
    }

    private func paintBand(within: Coverage, on canvas: inout VectorCanvas) {
        let band = opposite(of: design.field)
        paintCharge(at: Point2(0.5, 0.26), scale: 0.15, on: design.field, &canvas)
        canvas.fill(.rectangle(Point2(0, 0.44), Point2(1, 0.64)), ink(design.field), within: within)
        canvas.fill(.rectangle(Point2(0, 0.455), Point2(1, 0.625)), ink(band), within: within)
        let name = String(design.name.split(separator: " ").max { $0.count < $1.count } ?? "")
        let height = min(0.105, 0.6 / StrokeFont.width(of: name))
        write(name, center: Point2(0.5, 0.54), height: height, design.field, on: &canvas)
        writeYear(on: &canvas, below: 0.66)
    }

    // MARK: - The ring

    private func paintRing(hasLetters: Bool, within: Coverage, on canvas: inout VectorCanvas) {
        let center = Point2(0.5, 0.5)
        let ring = opposite(of: design.field)
        canvas.paint(ink(ring), through: within)
        canvas.fill(.circle(center, radius: 0.3), ink(design.field))
        let inside = canvas.coverage(of: .circle(center, radius: 0.278))
        canvas.paint(ink(ring), through: canvas.coverage(of: .circle(center, radius: 0.29)))
        canvas.paint(ink(design.field), through: inside)
        canvas.fill(design.division.path(center: center), ink(design.second), within: inside)
        // Over the seam, where the colours below would shine through between two that cover half of a pixel each.
        canvas.stroke(.circle(center, radius: 0.283), width: 0.014, ink(ring))
        let ground = paintDisc(center, radius: 0.2, on: &canvas)
        if hasLetters {
            writeInitials(center: center, room: 0.2, figure(on: ground), on: &canvas)
        } else {
            paintCharge(at: center, scale: ground == design.field ? 0.19 : 0.155, on: ground, &canvas)
        }
        write(design.name, around: center, radius: 0.325, height: 0.085, isBelow: false, design.field, on: &canvas)
        if design.hasYear {
            let year = String(design.year)
            write(year, around: center, radius: 0.325, height: 0.085, isBelow: true, design.field, on: &canvas)
        } else {
            for angle in [-0.5, 0, 0.5] {
                let place = center + 0.367 * Vector2(sin(angle), cos(angle))
                canvas.fill(
                    VectorPath.star(points: 5, inner: 0.42).transformed(by: .placing(at: place, scale: 0.042)),
                    ink(design.field))
            }
        }
    }

    // MARK: - Figures and letters

    /// What stands out from a ground.
    private func figure(on ground: EmblemColor) -> EmblemColor {
        design.figure.isLight != ground.isLight ? design.figure : opposite(of: ground)
    }

    private func paintCharge(at place: Point2, scale: Double, on ground: EmblemColor, _ canvas: inout VectorCanvas) {
        for layer in EmblemCharge(design.charge).layers {
            canvas.fill(
                layer.path.transformed(by: .placing(at: place, scale: scale)),
                ink(layer.ink == .main ? figure(on: ground) : ground))
        }
    }

    private func writeYear(on canvas: inout VectorCanvas, below top: Double) {
        guard design.hasYear, top < 0.78, design.division == .plain || design.isDarkPair else { return }
        let color = figure(on: design.field)
        write(String(design.year), center: Point2(0.5, top + 0.055), height: 0.07, color, on: &canvas)
    }

    /// The initials, as large as a disc of that radius holds them.
    private func writeInitials(center: Point2, room: Double, _ color: EmblemColor, on canvas: inout VectorCanvas) {
        let height = room * min(0.85, 1.6 / StrokeFont.width(of: design.initials))
        write(design.initials, center: center, height: height, color, on: &canvas)
    }

    /// A line of text around its middle, as bold as a club's letters are.
    private func write(
        _ text: String, center: Point2, height: Double, _ color: EmblemColor, on canvas: inout VectorCanvas
    ) {
        let start = center + height * Vector2(-StrokeFont.width(of: text) / 2, 0.5)
        for stroke in StrokeFont.strokes(of: text) {
            canvas.stroke(
                stroke.transformed(by: .placing(at: start, scale: height)), width: 0.19 * height, ink(color))
        }
    }

    /// A text along a circle, its letters' feet towards the centre above it, and away from it below.
    private func write(
        _ text: String, around center: Point2, radius: Double, height: Double, isBelow: Bool, _ color: EmblemColor,
        on canvas: inout VectorCanvas
    ) {
        let sign = isBelow ? -1.0 : 1
        let feet = isBelow ? radius + height : radius
        let letterSpacing = 0.12
        let length = StrokeFont.width(of: text) + letterSpacing * Double(text.count - 1)
        var x = -length / 2
        for letter in text {
            let width = StrokeFont.width(of: String(letter))
            let angle = sign * (x + width / 2) * height / (radius + height / 2)
            let middle = center + sign * feet * Vector2(sin(angle), -cos(angle))
            for stroke in StrokeFont.strokes(of: String(letter)) {
                let centered = stroke.transformed(by: .placing(at: Point2(-width / 2, 0), scale: 1))
                canvas.stroke(
                    centered.transformed(by: .placing(at: middle, scale: height, turn: angle)), width: 0.19 * height,
                    ink(color))
            }
            x += width + StrokeFont.gap + letterSpacing
        }
    }
}
