import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { whole, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { guestTextOf, hasLanguagesOnce } from '../notifications/guest-messages.ts'
import { AnyTexts, textsFollow } from '../notifications/guest-rule-texts.ts'
import { type SupplierAct, supplierActs } from './supplier-messages.ts'

/**
 * What a text to suppliers may name, written `{{services}}`. `services` is a line for each, `diets` a sentence that is left out where nobody
 * has one, `note` what the sender adds, and `link` the page of the departure, on a line of its own.
 */
export const supplierVariables = [
  'name',
  'tour',
  'code',
  'start',
  'services',
  'guests',
  'diets',
  'note',
  'company',
  'phone',
  'link',
] as const
export type SupplierVariable = (typeof supplierVariables)[number]

/** Nothing is said of the guests, and nothing shown, where all is cancelled. */
const notOfCancellation: readonly SupplierVariable[] = ['guests', 'diets', 'link']

/** What a text of one kind of message may name. */
export const supplierVariablesOf = (act: SupplierAct): readonly SupplierVariable[] =>
  act === 'cancel' ? supplierVariables.filter((name) => !notOfCancellation.includes(name)) : supplierVariables

/** What a supplier would be helpless without. */
const requiredOf = (act: SupplierAct): readonly SupplierVariable[] =>
  act === 'cancel' ? ['services'] : ['services', 'guests']

/** The texts of one kind of message, each language at most once; without one suppliers read what comes with the product. */
export const supplierTextsOf = (act: SupplierAct) =>
  z
    .array(guestTextOf(supplierVariablesOf(act), requiredOf(act)))
    .check(z.maxLength(locales.length), z.refine(hasLanguagesOnce, 'language_twice'))

export const getSupplierTexts = callable({
  name: 'supplier-texts-get',
  kind: 'read',
  permission: 'settings:read',
  summary:
    'What suppliers read, by kind of message: the texts of the organization, and those to begin with, by language.',
  input: z.object({}),
  output: z.object({
    acts: z.array(
      z.object({
        act: z.enum(supplierActs),
        /** Of the texts; 0 before anybody has written one. */
        version: whole(0, 1_000_000_000),
        own: AnyTexts,
        /** Like what comes with the product. */
        starters: AnyTexts,
      }),
    ),
  }),
  topics: ['notification_rules'],
})

export const saveSupplierTexts = callable({
  name: 'supplier-texts-save',
  kind: 'write',
  permission: 'notifications:manage',
  summary:
    'Replaces what suppliers read of one kind of message by own texts; in a language without one they read what comes with the product. What is written already leaves as it is.',
  input: write({ act: z.enum(supplierActs), version: whole(0, 1_000_000_000), texts: AnyTexts }).check(
    textsFollow<{ readonly act: SupplierAct }>(({ act }) => supplierTextsOf(act)),
  ),
  output: z.object({ version: whole(0, 1_000_000_000) }),
  writes: ['notification_rules'],
})
