import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../seed/random.ts'
import { DeflatedStream } from './deflated.ts'

const whole = (stream: DeflatedStream, texts: readonly string[]): Buffer =>
  Buffer.concat([DeflatedStream.opening, ...texts.map((text) => stream.add(text)), stream.ending()])

const alphabet = ['a', 'ö', '王', '👩🏽‍🚒', '\n', '{"lat":', '\u0000']

test('whatever texts a stream sends, a reader gets them all, and the checksum is right', () => {
  const random = seededRandom(7)
  for (let run = 0; run < 60; run += 1) {
    const texts = Array.from({ length: random.between(0, 12) }, () => {
      const part = Array.from({ length: random.between(0, 12) }, () => random.pick(alphabet)).join('')
      // some of them longer than a window, and longer than a block that is not compressed
      return part.repeat(random.chance(0.3) ? random.between(2_000, 20_000) : 1)
    })
    expect(zlib.inflateSync(whole(new DeflatedStream(), texts)).toString()).toBe(texts.join(''))
  }
})

test('each text can be read before the next one is there', async () => {
  const stream = new DeflatedStream()
  const reader = zlib.createInflate().setEncoding('utf8')
  let heard = ''
  reader.on('data', (text: string) => (heard += text))
  reader.write(DeflatedStream.opening)
  let sent = ''
  for (const text of ['event: hello\n\n', 'position '.repeat(5_000), 'ö']) {
    reader.write(stream.add(text))
    sent += text
    await expect.poll(() => heard).toBe(sent)
  }
})

test('a text that many streams send is compressed once, and much smaller', () => {
  const text = JSON.stringify(
    Array.from({ length: 1_000 }, (_none, n) => ({ subjectKind: 'staff', lat: 64 + n / 1000 })),
  )
  const [one, other] = [new DeflatedStream(), new DeflatedStream()]
  one.add('what only the first has sent')
  expect(other.add(text)).toBe(one.add(text))
  expect(other.add(text).length * 5).toBeLessThan(text.length)
})
