import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeReader } from './code-reader.ts'

const ofLibrary = vi.hoisted(() => vi.fn(() => async () => 'read by the library'))
vi.mock('./canvas-reader.ts', () => ({ canvasReader: ofLibrary }))
beforeEach(() => ofLibrary.mockClear())
afterEach(() => vi.unstubAllGlobals())

const picture = {} as HTMLVideoElement

/** A browser that reads these kinds of codes itself. @returns the kinds that each of its readers was made for. */
function offer(supported: () => Promise<readonly string[]>, found: readonly string[] = ['T-4711']): string[][] {
  const made: string[][] = []
  class BarcodeDetector {
    static getSupportedFormats = supported
    constructor({ formats }: { formats: string[] }) {
      made.push(formats)
    }
    async detect(given: unknown) {
      expect(given).toBe(picture)
      return found.map((rawValue) => ({ rawValue }))
    }
  }
  vi.stubGlobal('BarcodeDetector', BarcodeDetector)
  return made
}

test('a browser that reads QR codes itself does so, and the library is not made', async () => {
  const made = offer(async () => ['ean_13', 'qr_code'])
  const read = await makeReader()
  expect(await read(picture)).toBe('T-4711')
  expect(made).toEqual([['qr_code']])
  expect(ofLibrary).not.toHaveBeenCalled()
})

test('a picture without a code is no text', async () => {
  offer(async () => ['qr_code'], [])
  expect(await (await makeReader())(picture)).toBeNull()
})

test('the library reads where the browser has no reader, reads other codes only, or cannot say which', async () => {
  vi.stubGlobal('BarcodeDetector', undefined)
  expect(await (await makeReader())(picture)).toBe('read by the library')
  for (const supported of [async () => ['ean_13'], () => Promise.reject(new Error('No service'))]) {
    const made = offer(supported)
    expect(await (await makeReader())(picture)).toBe('read by the library')
    expect(made).toEqual([])
  }
  expect(ofLibrary).toHaveBeenCalledTimes(3)
})
