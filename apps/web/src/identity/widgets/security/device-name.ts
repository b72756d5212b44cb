import { m } from '../../../paraglide/messages.js'

/** From the most to the least telling: browsers name the ones they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const firstOf = (names: typeof browsers, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** "Firefox on Windows", from what a browser says of itself. */
export function deviceName(userAgent: string | null): string {
  const browser = firstOf(browsers, userAgent ?? '')
  const system = firstOf(systems, userAgent ?? '')
  if (browser && system) return m.security_session_on({ browser, system })
  return browser ?? system ?? m.security_session_unknown()
}

/** Roughly where a session comes from: the last part of an address says nothing to its owner. */
export function coarseAddress(ip: string): string {
  if (/^\d+(\.\d+){3}$/.test(ip)) return ip.replace(/\d+$/, '…')
  const parts = ip.split(':')
  return parts.length > 3 ? `${parts.slice(0, 3).join(':')}:…` : ip
}
