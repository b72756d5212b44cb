import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { locales, type Locale } from '@tour-ops/contract/locales'
import { describe, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, '../../messages')
const areas = readdirSync(folder)

type Messages = Record<string, unknown>

const read = (area: string, locale: string): Messages => {
  const { $schema: _schema, ...messages } = JSON.parse(
    readFileSync(path.join(folder, area, `${locale}.json`), 'utf8'),
  ) as Messages
  return messages
}

/** How nobody is addressed: the product says "Sie" and "usted". */
const familiar: Record<Exclude<Locale, 'en'>, RegExp> = {
  de: /\b(du|dir|dich|dein\w*|euch|euer|eure\w*|kannst|hast|ihr habt)\b/i,
  es: /(?<!\p{L})(tú|tus?|tuy[oa]s?|ti|contigo|te|eres|puedes|tienes|necesitas|quieres|habéis|vosotros)(?!\p{L})/iu,
}

/** What a message takes: `{count}` in a sentence, `input count` in a plural. */
const inputsOf = (message: unknown): string[] => [
  ...new Set(
    [...JSON.stringify(message).matchAll(/\{(\w+)\}|"input (\w+)"/g)].map((match) => match[1] ?? match[2] ?? ''),
  ),
]

const settings = JSON.parse(readFileSync(path.join(folder, '../project.inlang/settings.json'), 'utf8')) as {
  locales: string[]
  'plugin.inlang.messageFormat': { pathPattern: string[] }
}

test('every area of messages is compiled, in the languages of the contract', () => {
  const compiled = settings['plugin.inlang.messageFormat'].pathPattern.map((pattern) => pattern.split('/')[2])
  expect(new Set(compiled)).toEqual(new Set(areas))
  expect(settings.locales).toEqual([...locales])
})

/** Every identifier that occurs in the sources of the browser, messages left out. */
function namesInSources(): ReadonlySet<string> {
  const sources = path.join(import.meta.dirname, '..')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith('paraglide'),
  )
  return new Set(files.flatMap((file) => readFileSync(path.join(sources, file), 'utf8').match(/\w+/g) ?? []))
}

test('every message is used', () => {
  const names = namesInSources()
  expect(areas.flatMap((area) => Object.keys(read(area, 'en'))).filter((key) => !names.has(key))).toEqual([])
})

/** Placeholders that hold a number of things. Limits (`max`) are always more than one, and a `number` is a place in a row. */
const counts = [
  'count',
  'left',
  'minutes',
  'hours',
  'days',
  'rows',
  'seats',
  'guests',
  'views',
  'departures',
  'minimum',
]

/** Words that stay as they are after one and after many. */
const unchanging: Record<Locale, readonly string[]> = {
  en: [
    'aboard',
    'at',
    'd',
    'done',
    'expected',
    'h',
    'left',
    'min',
    'more',
    'of',
    'on',
    'running',
    's',
    'synced',
    'to',
    'today',
    'under',
    'unread',
    'with',
  ],
  de: [
    'an',
    'auf',
    'ausstehend',
    'd',
    'einchecken',
    'erledigt',
    'h',
    'jetzt',
    'heute',
    'im',
    'mehr',
    'min',
    'mit',
    'rückgängig',
    's',
    'um',
    'ungelesen',
    'unterwegs',
    'von',
    'weitere',
  ],
  es: ['a', 'con', 'd', 'de', 'en', 'este', 'h', 'hoy', 'min', 'más', 'por', 's', 'sin'],
}

interface Plural {
  readonly selectors: readonly string[]
  readonly match: Readonly<Record<string, string>>
}

test.each(locales)('a count of things has its singular and its plural in %s', (locale) => {
  for (const area of areas) {
    for (const [key, message] of Object.entries(read(area, locale))) {
      if (typeof message === 'string') {
        const bare = [...message.matchAll(/\{(\w+)\} (\p{L}+)/gu)]
          .filter(([, name, word]) => counts.includes(name ?? '') && !unchanging[locale].includes(word ?? ''))
          .map(([text]) => text)
        expect(bare, key).toEqual([])
        continue
      }
      const [{ selectors, match }] = message as [Plural]
      const wanted = selectors.reduce<string[]>(
        (lines, selector) =>
          ['one', 'other'].flatMap((form) =>
            lines.length === 0 ? [`${selector}=${form}`] : lines.map((line) => `${line}, ${selector}=${form}`),
          ),
        [],
      )
      if (selectors.every((selector) => selector.endsWith('Plural'))) {
        expect(Object.keys(match).toSorted(), key).toEqual(wanted.toSorted())
      }
    }
  }
})

describe.each(areas)('messages of %s', (area) => {
  const english = read(area, 'en')

  test('begin with the name of their area', () => {
    expect(Object.keys(english).filter((key) => !key.startsWith(`${area.replaceAll('-', '_')}_`))).toEqual([])
  })

  for (const locale of locales.filter((each) => each !== 'en')) {
    test(`are complete in ${locale} and take the same values`, () => {
      const translated = read(area, locale)
      expect(Object.keys(translated).toSorted()).toEqual(Object.keys(english).toSorted())
      for (const [key, message] of Object.entries(english)) {
        expect(inputsOf(translated[key]).toSorted(), key).toEqual(inputsOf(message).toSorted())
        expect(JSON.stringify(translated[key]), key).not.toBe('""')
        expect(JSON.stringify(translated[key]), key).not.toMatch(familiar[locale])
      }
    })
  }
})
