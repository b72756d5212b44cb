import { expect, test, vi } from 'vitest'
import type { MapPalette } from './map-palette.ts'
import { markIcon, markIconName } from './mark-icons.ts'

const light = { isDark: false, surface: '#ffffff' } as MapPalette
const dark = { isDark: true, surface: '#101010' } as MapPalette

test('an icon that is requested after the theme has changed is drawn in the theme that its name says', () => {
  const drawn: unknown[] = []
  vi.stubGlobal('Path2D', vi.fn())
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext() {
        return {
          scale: () => undefined,
          stroke() {
            drawn.push((this as { strokeStyle?: unknown }).strokeStyle)
          },
          getImageData: () => 'pixels',
        }
      }
    },
  )
  expect(markIcon(markIconName('ok', light), [light, dark])).toBe('pixels')
  expect(markIcon(markIconName('ok', dark), [light, dark])).toBe('pixels')
  expect(drawn).toEqual([light.surface, dark.surface])
  expect(markIcon(markIconName('ok', light), [dark])).toBeUndefined()
  expect(markIcon('airport', [light, dark])).toBeUndefined()
})
