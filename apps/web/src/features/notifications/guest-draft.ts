import { GuestTexts, type GuestText } from '@tour-ops/contract/notifications/guest-messages'
import { issueText } from '../../ui/form/form-errors.ts'
import { locales, type Locale } from '../../ui/locale.ts'

/** What is written in one language. */
export interface DraftText {
  readonly subject: string
  readonly body: string
  /** For phones; without one it is made from the subject. */
  readonly short?: string | undefined
}

/** A message while it is written, by language; without one nothing is written in it. */
export type GuestDraft = Readonly<Partial<Record<Locale, DraftText>>>

export const emptyText: DraftText = { subject: '', body: '' }

export const draftOf = (texts: readonly GuestText[]): GuestDraft =>
  Object.fromEntries(texts.map(({ language, ...text }) => [language, text]))

const isEmpty = ({ subject, body }: DraftText): boolean => subject.trim() === '' && body.trim() === ''

/** What there is to send; a language in which nothing is written is none. */
export const textsOf = (draft: GuestDraft): GuestText[] =>
  locales.flatMap((language) => {
    const text = draft[language]
    if (!text || isEmpty(text)) return []
    const { subject, body, short } = text
    return [{ language, subject, body, ...(short?.trim() && { short }) }]
  })

/** The first thing that is wrong with a subject or a text, in the reader's language. */
export type DraftProblems = Readonly<Partial<Record<Locale, Partial<Record<keyof DraftText, string>>>>>

/** What checks texts: `GuestTexts`, or those of an event. */
type TextsCheck = Pick<typeof GuestTexts, 'safeParse'>

/** Nothing where the whole can be sent. */
export function problemsOfDraft(draft: GuestDraft, check: TextsCheck = GuestTexts): DraftProblems {
  const texts = textsOf(draft)
  const { error } = check.safeParse(texts)
  const problems: Partial<Record<Locale, Partial<Record<keyof DraftText, string>>>> = {}
  for (const issue of error?.issues ?? []) {
    const [at, field] = issue.path
    const language = typeof at === 'number' ? texts[at]?.language : undefined
    if (language === undefined || (field !== 'subject' && field !== 'body' && field !== 'short')) continue
    problems[language] = { [field]: issueText(issue), ...problems[language] }
  }
  return problems
}

export const isSameDraft = (one: GuestDraft, other: GuestDraft): boolean =>
  JSON.stringify(textsOf(one)) === JSON.stringify(textsOf(other))
