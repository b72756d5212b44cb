import type { Tone } from '../../../ui/chip.tsx'
import { trackColors } from './track-colors.ts'

/** Colors of the map in one theme. What `ui/tokens.css` names is read from the page, so that both always agree. */
export interface MapPalette {
  readonly isDark: boolean
  readonly sea: string
  readonly land: string
  readonly coast: string
  readonly ground: string
  readonly border: string
  readonly ice: string
  readonly urban: string
  readonly text: string
  readonly text2: string
  readonly halo: string
  readonly route: string
  readonly routeAhead: string
  readonly surface: string
  readonly ink: string
  readonly marks: Readonly<Record<Tone, string>>
  /** Of tracks that are shown together, as `trackColors`. */
  readonly tracks: readonly string[]
}

/** Reads the palette of the theme that the page shows now. */
export function readPalette(isDark: boolean): MapPalette {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    isDark,
    sea: token('sea'),
    land: token('land'),
    coast: token('coast'),
    ground: token('ground'),
    border: isDark ? '#3a4348' : '#d9d2c8',
    ice: isDark ? '#2a3237' : '#ffffff',
    urban: isDark ? '#282d31' : '#efeae2',
    text: token('map-text'),
    text2: token('map-text-2'),
    halo: isDark ? token('sea') : '#ffffff',
    route: token('route'),
    routeAhead: token('route-ahead'),
    surface: token('surface'),
    ink: token('ink-strong'),
    marks: {
      neutral: token('mark-neutral'),
      info: token('mark-info'),
      ok: token('mark-ok'),
      warn: token('mark-warn'),
      bad: token('mark-bad'),
      gap: token('mark-gap'),
    },
    tracks: trackColors.map(token),
  }
}
