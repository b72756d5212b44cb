import type { Page } from '@playwright/test'
import { expect, settled } from './fixtures.ts'

/**
 * Opens the live map with a tool that takes presses, and waits until the map has moved to the day: what is pressed before is elsewhere.
 *
 * @returns Presses a point of the map, in pixels from its corner.
 */
export async function openDrawing(
  page: Page,
  address: string,
): Promise<(x: number, y: number, times?: number) => Promise<void>> {
  const day = page.waitForResponse('**/api/map-today')
  await page.goto(address)
  await day
  await settled(page)
  const map = page.getByRole('region', { name: "Map of today's departures" })
  await expect(map).toHaveCSS('cursor', 'crosshair')
  const box = await map.boundingBox()
  if (!box) throw new Error('The map has no place on the screen.')
  return (x, y, times = 1) => page.mouse.click(box.x + x, box.y + y, { clickCount: times })
}

/** What differs between two pictures of the same part of the screen, pixels; all 0 where nothing does. */
export interface Difference {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Compares two pictures (PNG) of the same size. The browser reads them: it has all that this takes. */
export const differenceOf = (page: Page, before: Buffer, after: Buffer): Promise<Difference> =>
  page.evaluate(
    async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (text) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
          const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
          context?.drawImage(picture, 0, 0)
          return context?.getImageData(0, 0, picture.width, picture.height)
        }),
      )
      if (!one || !other) throw new Error('The pictures could not be read.')
      const [xs, ys]: [number[], number[]] = [[], []]
      for (let at = 0; at < one.data.length; at += 4) {
        if ([0, 1, 2].every((color) => one.data[at + color] === other.data[at + color])) continue
        xs.push((at / 4) % one.width)
        ys.push(Math.floor(at / 4 / one.width))
      }
      if (xs.length === 0) return { left: 0, top: 0, width: 0, height: 0 }
      const [left, top] = [Math.min(...xs), Math.min(...ys)]
      return { left, top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 }
    },
    [before, after].map((picture) => picture.toString('base64')),
  )
