import { describe, expect, test } from 'vitest'
import { smsSize } from './sms-segments.ts'

const sizeOf = (text: string): string => {
  const { encoding, segments } = smsSize(text)
  return `${encoding} ${segments}`
}

describe('an SMS', () => {
  test.each([
    ['a'.repeat(160), 'gsm7 1'],
    ['a'.repeat(161), 'gsm7 2'],
    ['a'.repeat(306), 'gsm7 2'],
    ['a'.repeat(307), 'gsm7 3'],
    ['Grüße aus Málaga'.replace('á', 'à'), 'gsm7 1'],
  ])('in the default alphabet takes 160 characters alone and 153 of several (%#)', (text, size) =>
    expect(sizeOf(text)).toBe(size),
  )

  test.each([
    ['€'.repeat(80), 'gsm7 1'],
    ['€'.repeat(81), 'gsm7 2'],
    // the last place of a segment stays empty: an escape is not cut off from its character
    ['€'.repeat(153), 'gsm7 3'],
  ])('counts characters of the extension as two (%#)', (text, size) => expect(sizeOf(text)).toBe(size))

  test.each([
    ['á'.repeat(70), 'ucs2 1'],
    ['á'.repeat(71), 'ucs2 2'],
    ['á'.repeat(134), 'ucs2 2'],
    ['á'.repeat(135), 'ucs2 3'],
    ['🚌'.repeat(35), 'ucs2 1'],
    ['🚌'.repeat(67), 'ucs2 3'],
  ])('takes 70 and 67 as soon as one character is in no default alphabet (%#)', (text, size) =>
    expect(sizeOf(text)).toBe(size),
  )
})
