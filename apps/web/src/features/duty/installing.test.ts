import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sharedHead } from '../../../build/shared-head.ts'

const web = path.resolve(import.meta.dirname, '../../..')

/** Width and height of a picture. Source: PNG, third edition, "IHDR image header". */
function sizeOf(file: string): string {
  const bytes = fs.readFileSync(path.join(web, 'public', file))
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

interface Icon {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose?: string
}

// Android installs only what has 192 and 512 pixels, and cuts a maskable one to its shape; an iPhone reads a link in the document and no vectors.
test('the guide’s phone can be installed with pictures of the sizes that they are said to have', () => {
  const { icons } = JSON.parse(fs.readFileSync(path.join(web, 'public/duty.webmanifest'), 'utf8')) as { icons: Icon[] }
  const pictures = icons.filter(({ type }) => type === 'image/png')
  for (const { src, sizes } of pictures) expect(sizeOf(src)).toBe(sizes)
  expect(pictures.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})

test('an iPhone finds the picture for its home screen in the head of the document', () => {
  const { transformIndexHtml } = sharedHead()
  const { handler } = transformIndexHtml as unknown as { handler: (html: string) => string }
  const head = handler(fs.readFileSync(path.join(web, 'duty.html'), 'utf8'))
  const [, href = ''] = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(head) ?? []
  expect(sizeOf(href)).toBe('180x180')
})
