import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { text, whole, write } from '../fields.ts'
import { locales } from '../locales.ts'
import {
  eventVariables,
  guestTextOf,
  guestVariables,
  hasLanguagesOnce,
  maxBody,
  maxShort,
  maxSubject,
  type TextVariable,
  usualVariables,
} from './guest-messages.ts'
import { type GuestEvent, guestEvents } from './guest-rules.ts'

interface EventText {
  /** Sentences that only its texts may name. */
  readonly own?: readonly TextVariable[]
  /** What its guests would be helpless without. */
  readonly required?: readonly TextVariable[]
}

const ofEvents: Readonly<Partial<Record<GuestEvent, EventText>>> = {
  waitlist_offer: { own: ['held_until'], required: ['link'] },
  pre_tour_info: { own: ['bring', 'weather'] },
  pickup_reminder: { own: ['weather'] },
  last_reminder: { own: ['expected'] },
  delay_notice: { own: ['new_time'], required: ['new_time'] },
  rebooking_offer: { own: ['proposal', 'answer_by'], required: ['link'] },
  booking_cancelled: { own: ['refund'] },
  feedback_request: { required: ['link'] },
}

/** What a text of an event may name. */
export const variablesOf = (event: GuestEvent): readonly TextVariable[] => [
  ...usualVariables,
  ...(ofEvents[event]?.own ?? []),
]

/** Guests of the event find on their page what its text does not say; of a cancelled booking there is none. */
export const shouldNameLink = (event: GuestEvent): boolean => event !== 'booking_cancelled'

/** The texts of an event, each language at most once; without one guests read what comes with the product. */
export const ruleTextsOf = (event: GuestEvent) =>
  z
    .array(guestTextOf(variablesOf(event), ofEvents[event]?.required))
    .check(z.maxLength(locales.length), z.refine(hasLanguagesOnce, 'language_twice'))

/** Before it is known of which event. */
const AnyText = z.object({
  language: z.enum(locales),
  subject: text(maxSubject),
  body: text(maxBody),
  short: z.optional(text(maxShort)),
})
export const AnyTexts = z.array(AnyText).check(z.maxLength(locales.length))
export type RuleText = z.output<typeof AnyText>

/** What checks texts. */
type TextsRule = Pick<ReturnType<typeof ruleTextsOf>, 'safeParse'>

/** Holds the texts of an input against the rule that follows from the rest of it. */
export const textsFollow = <Input extends object>(ruleOf: (input: Input) => TextsRule) =>
  z.check<Input & { readonly texts?: readonly RuleText[] | undefined }>(({ value, issues }) => {
    const { texts } = value
    // what any text must be was said before
    for (const issue of ruleOf(value).safeParse(texts ?? []).error?.issues ?? [])
      if (issue.code === 'custom')
        issues.push({
          ...issue,
          path: ['texts', ...issue.path],
          input: texts,
          continue: true,
        })
  })

/** What the event of an input allows in its texts. */
const areOfEvent = textsFollow<{ readonly event: GuestEvent }>(({ event }) => ruleTextsOf(event))

export const getRuleTexts = callable({
  name: 'guest-rules-texts',
  kind: 'read',
  permission: 'settings:read',
  summary: 'What guests read of an event: the texts of the organization, and those to begin with, by language.',
  input: z.object({ event: z.enum(guestEvents) }),
  output: z.object({
    /** Of the texts; 0 before anybody has written one. */
    version: whole(0, 1_000_000_000),
    own: AnyTexts,
    /** Like what comes with the product, which names what a booking has and leaves out the rest. */
    starters: AnyTexts,
  }),
  topics: ['notification_rules'],
})

export const saveRuleTexts = callable({
  name: 'guest-rules-texts-save',
  kind: 'write',
  permission: 'notifications:manage',
  summary:
    'Replaces what guests read of an event by own texts; in a language without one they read what comes with the product. What is written already leaves as it is.',
  input: write({ event: z.enum(guestEvents), version: whole(0, 1_000_000_000), texts: AnyTexts }).check(areOfEvent),
  output: z.object({ version: whole(0, 1_000_000_000) }),
  writes: ['notification_rules'],
})

export const previewRuleText = callable({
  name: 'guest-rules-preview',
  kind: 'read',
  permission: 'settings:read',
  summary:
    'What a guest reads, with the data of the next booking that is confirmed, by the texts of the rule or by others that are not saved; null where there is none.',
  input: z
    .object({ event: z.enum(guestEvents), language: z.enum(locales), texts: z.optional(AnyTexts) })
    .check(areOfEvent),
  output: z.object({
    message: z.nullable(
      z.object({
        bookingRef: z.string(),
        subject: z.string(),
        body: z.string(),
        /** It is a text of the organization. */
        isOwn: z.boolean(),
        /** What the text names, and this booking has nothing for. */
        missing: z.array(z.enum([...guestVariables, ...eventVariables])),
      }),
    ),
  }),
  topics: [
    'bookings',
    'departure_stops',
    'departures',
    'notification_rules',
    'org_settings',
    'organizations',
    'places',
    'tour_revisions',
    'tours',
  ],
})
