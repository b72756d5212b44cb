import type { Tone } from '../../../ui/chip.tsx'
import type { MapPalette } from './map-palette.ts'

/** Shapes of the icons next to the status labels (lucide, 24 × 24), so that a mark is not distinguished by its color alone. */
const shapes: Readonly<Record<Tone, string>> = {
  ok: 'M20 6 9 17l-5-5',
  info: 'm10 17 5-5-5-5 M15 12H3',
  warn: 'M12 6v6l4 2',
  bad: 'M12 5v9 M12 18.5v.5',
  gap: 'M8 7a4 4 0 1 1 5.5 3.7C12.5 11.2 12 12 12 13.2 M12 18v.5',
  neutral: 'M12 12h.01',
}

/** Pixels of an icon image; drawn at twice its size for dense screens. */
const size = 28

/** Name of the icon image of a tone; the theme is in it, since MapLibre keeps images over a change of style. */
export const markIconName = (tone: Tone, { isDark }: MapPalette): string => `mark-${tone}-${isDark ? 'dark' : 'light'}`

/** Name of the arrow in front of who moves. */
export const headingIconName = ({ isDark }: MapPalette): string => `heading-${isDark ? 'dark' : 'light'}`

/**
 * The icon image for a name; undefined for other names.
 *
 * @param palettes Of every theme that was shown: MapLibre may ask for an icon of the theme before, when the theme has changed meanwhile.
 */
export function markIcon(name: string, palettes: Iterable<MapPalette>): ImageData | undefined {
  for (const palette of palettes) {
    const tone = (Object.keys(shapes) as Tone[]).find((one) => markIconName(one, palette) === name)
    if (tone) return drawIcon(shapes[tone], tone === 'neutral' ? 7 : 3.2, palette.surface)
    if (name === headingIconName(palette)) return drawIcon(headingShape, 3.2, palette.marks.info)
  }
  return undefined
}

/** Points north; the map turns it. */
const headingShape = 'M7 15l5-6 5 6'

function drawIcon(shape: string, lineWidth: number, color: string): ImageData | undefined {
  const context = new OffscreenCanvas(size, size).getContext('2d')
  if (!context) return undefined
  context.scale(size / 24, size / 24)
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.lineWidth = lineWidth
  context.strokeStyle = color
  context.stroke(new Path2D(shape))
  return context.getImageData(0, 0, size, size)
}
