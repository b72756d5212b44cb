/** The default alphabet of SMS. Source: 3GPP TS 23.038, 6.2.1. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Its extension: each takes two places. */
const extended = '\f^{}\\[~]|€'

const sizes = {
  gsm7: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
} as const

export interface SmsSize {
  /** `ucs2`: a character is not in the default alphabet, which makes every one longer. */
  readonly encoding: keyof typeof sizes
  /** What a provider counts and charges. */
  readonly segments: number
}

/** How many SMS a text takes. No character is cut in two. */
export function smsSize(text: string): SmsSize {
  const characters = [...text]
  const encoding = characters.every((one) => basic.includes(one) || extended.includes(one)) ? 'gsm7' : 'ucs2'
  const places = characters.map((one) => (encoding === 'ucs2' ? one.length : extended.includes(one) ? 2 : 1))
  const { alone, joined } = sizes[encoding]
  if (places.reduce((sum, each) => sum + each, 0) <= alone) return { encoding, segments: 1 }
  let segments = 1
  let used = 0
  for (const each of places) {
    if (used + each > joined) {
      segments += 1
      used = 0
    }
    used += each
  }
  return { encoding, segments }
}
