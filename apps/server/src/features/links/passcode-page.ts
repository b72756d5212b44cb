import { createHash } from 'node:crypto'
import type { Locale } from '@tour-ops/contract/locales'
import { plural } from '../../platform/plural.ts'

/** Why the passcode is asked for again; null at first. */
export type Again = 'wrong' | 'too_early' | null

export interface PasscodePage {
  readonly organization: string
  readonly locale: Locale
  readonly again: Again
  /** Until the next passcode is checked; 0 where one can be entered at once. */
  readonly waitS: number
}

interface Texts {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly open: string
  readonly wrong: string
  readonly tooEarly: string
  readonly wait: (seconds: number) => string
}

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    title: 'Enter the passcode',
    text: 'You have it from whoever gave you this link.',
    label: 'Passcode',
    open: 'Open the page',
    wrong: 'This passcode is wrong.',
    tooEarly: 'Too many attempts.',
    wait: (seconds) => plural(seconds, 'Try again in # second.', 'Try again in # seconds.', 'en'),
  },
  de: {
    title: 'Kennwort eingeben',
    text: 'Sie haben es von der Person, die Ihnen diesen Link gegeben hat.',
    label: 'Kennwort',
    open: 'Seite öffnen',
    wrong: 'Dieses Kennwort ist falsch.',
    tooEarly: 'Zu viele Versuche.',
    wait: (seconds) =>
      plural(seconds, 'Versuchen Sie es in # Sekunde erneut.', 'Versuchen Sie es in # Sekunden erneut.', 'de'),
  },
  es: {
    title: 'Introduzca la clave',
    text: 'Se la ha dado la persona que le envió este enlace.',
    label: 'Clave',
    open: 'Abrir la página',
    wrong: 'Esta clave no es correcta.',
    tooEarly: 'Demasiados intentos.',
    wait: (seconds) => plural(seconds, 'Inténtelo de nuevo en # segundo.', 'Inténtelo de nuevo en # segundos.', 'es'),
  },
}

/** Colors are those of the web application; it is too large for a page of one field. */
const style = `:root{color-scheme:light dark;--bg:#f9f9f9;--surface:#fff;--line:#e8e6e3;--ctl:#84878b;--ink:#333;--strong:#1c1b1a;--brand:#c93b00;--on:#fff;--bad:#a4161a}
@media(prefers-color-scheme:dark){:root{--bg:#121416;--surface:#191c1f;--line:#2a2f34;--ctl:#6f777f;--ink:#d9dcdf;--strong:#f4f5f6;--brand:#ff7a45;--on:#1a0a00;--bad:#ff9c9c}}
*{box-sizing:border-box}body{margin:0;padding:24px 16px;background:var(--bg);color:var(--ink);font:17px/24px system-ui,sans-serif}
main{max-width:420px;margin:8vh auto 0;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:12px}
p{margin:0 0 16px;overflow-wrap:anywhere}h1{margin:0 0 8px;color:var(--strong);font-size:26px;line-height:32px}
label{display:block;margin-bottom:6px;color:var(--strong);font-weight:600}
input,button{width:100%;min-height:48px;border-radius:8px;font:inherit}
input{padding:0 12px;border:1px solid var(--ctl);background:var(--surface);color:var(--strong)}
button{margin-top:16px;border:0;background:var(--brand);color:var(--on);font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}.bad{color:var(--bad);font-weight:600}`

/** The page needs its own style and its own form, and nothing else. */
export const passcodePagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** A page that asks for the passcode of a link, without any script. */
export function passcodePage({ organization, locale, again, waitS }: PasscodePage): string {
  const text = texts[locale]
  const problem =
    again === null
      ? ''
      : `<p class="bad" id="problem" role="alert">${again === 'wrong' ? text.wrong : text.tooEarly}${waitS > 0 ? ` ${text.wait(waitS)}` : ''}</p>`
  const described = again === null ? '' : ' aria-invalid="true" aria-describedby="problem"'
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<title>${text.title}</title><style>${style}</style></head>
<body><main><p><bdi>${escaped(organization)}</bdi></p><h1>${text.title}</h1><p>${text.text}</p>
<form method="post">${problem}<label for="passcode">${text.label}</label>
<input id="passcode" name="passcode" type="password" required maxlength="40" autocomplete="off" autocapitalize="off" spellcheck="false" autofocus${described}>
<button type="submit">${text.open}</button></form></main></body></html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
