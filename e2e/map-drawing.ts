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
