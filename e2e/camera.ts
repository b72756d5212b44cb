import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { encode } from 'uqr'
import { chromiumPath } from './chromium.ts'

const width = 640
const height = 480
/** Brightness of paper and ink in a video, and the color of neither. Source: ITU-R BT.601, 8 bits. */
const paper = 235
const ink = 16
const noColor = 128

/** A video of one picture: a QR code that fills the height, as a guest holds it before the phone. Source: YUV4MPEG2, as yuv4mpeg(5) has it. */
function videoOfCode(text: string): Buffer {
  const { data, size } = encode(text, { border: 4 })
  const scale = Math.floor(height / size)
  const [left, top] = [Math.floor((width - size * scale) / 2), Math.floor((height - size * scale) / 2)]
  const bright = Buffer.alloc(width * height, paper)
  data.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (!isDark) return
      for (let line = top + y * scale; line < top + (y + 1) * scale; line += 1) {
        const from = line * width + left + x * scale
        bright.fill(ink, from, from + scale)
      }
    }),
  )
  const frame = Buffer.concat([Buffer.from('FRAME\n'), bright, Buffer.alloc((width * height) / 2, noColor)])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  return Buffer.concat([head, frame, frame])
}

/** A browser whose camera sees a QR code. @param run Gets it; it is closed afterwards. */
export async function withCameraOn(text: string, run: (browser: Browser) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'camera-'))
  const file = path.join(folder, 'code.y4m')
  fs.writeFileSync(file, videoOfCode(text))
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ],
  })
  try {
    await run(browser)
  } finally {
    await browser.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
