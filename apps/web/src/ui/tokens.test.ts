import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** Hex colors of every block with this selector. */
function colorsOf(selector: string): Record<string, string> {
  const blocks = css.matchAll(new RegExp(`^${selector.replace('.', '\\.')} \\{([^}]*)\\}`, 'gm'))
  const lines = [...blocks].flatMap(([, body = '']) => [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)])
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

const light = colorsOf(':root')
const themes = { light, dark: { ...light, ...colorsOf('.dark') } }

/** Relative luminance. Source: WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const surfaces = ['bg', 'surface', 'surface-2']
const tones = ['neutral', 'info', 'ok', 'warn', 'bad', 'gap']

/** Foreground and the backgrounds it may be used on as text. */
const textPairs: [string, string[]][] = [
  ['ink', [...surfaces, 'brand-tint', 'lane']],
  ['ink-strong', [...surfaces, 'brand-tint', 'lane', ...tones.map((tone) => `st-${tone}-bg`)]],
  ['ink-2', [...surfaces, 'brand-tint', 'lane']],
  ['brand-strong', ['bg', 'surface', 'brand-tint']],
  ['on-brand', ['brand-strong']],
  ['on-alarm', ['alarm']],
  ['on-still', ['still']],
  ...tones.map((tone): [string, string[]] => [`st-${tone}`, ['bg', 'surface', `st-${tone}-bg`]]),
  // Toasts have the page's colors inverted; flags keep their colors on a selected row, on the surface.
  ['bg', ['ink-strong']],
  ['map-text', ['land', 'sea']],
  ['map-text-2', ['land']],
]

/** Marks, borders of controls, dots and bars with their backgrounds. */
const markPairs: [string, string[]][] = [
  ['ctl', ['bg', 'surface', 'surface-2']],
  ['brand', ['bg', 'surface', 'brand-tint']],
  ['brand-strong', ['bg', 'surface', 'surface-2', 'brand-tint']],
  ['live', ['bg', 'surface']],
  ...tones.map((tone): [string, string[]] => [`mark-${tone}`, ['bg', 'surface', 'land']]),
  ['route', ['land', 'ground']],
  ['ink-2', ['line']],
]

describe.each(Object.entries(themes))('%s theme', (_name, colors) => {
  const color = (name: string): string => colors[name] ?? expect.fail(`no color --${name} in tokens.css`)

  test.each(textPairs.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'text --%s on --%s reaches 4.5:1',
    (text, ground) => {
      expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(markPairs.flatMap(([mark, grounds]) => grounds.map((ground) => [mark, ground] as const)))(
    'mark --%s on --%s reaches 3:1',
    (mark, ground) => {
      expect(contrast(color(mark), color(ground))).toBeGreaterThanOrEqual(3)
    },
  )
})

test('the dark theme redefines every color whose light value would not read on it', () => {
  const dark = colorsOf('.dark')
  const forgotten = Object.keys(light).filter((name) => !(name in dark))
  expect(forgotten).toEqual([])
})

test('the secondary color is in use, and nowhere as a color of text', () => {
  const source = path.join(import.meta.dirname, '..')
  const uses = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(tsx|css)$/.test(name) && name !== 'tokens.css')
    .flatMap(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8').split('\n'))
    .filter((line) => /brand-2\b/.test(line))
  expect(uses.length).toBeGreaterThan(0)
  expect(uses.filter((line) => /text-brand-2|[^-]color: var\(--brand-2/.test(line))).toEqual([])
})

test('the known figures come out: brand on white is 3.4, brand-strong on white 5.1', () => {
  expect(contrast('#ff4b00', '#ffffff')).toBeCloseTo(3.36, 1)
  expect(contrast('#c93b00', '#ffffff')).toBeCloseTo(5.11, 1)
})
