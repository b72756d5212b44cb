import * as z from 'zod/mini'
import { billingKinds } from '../bookings/billing.ts'
import { callable } from '../callable.ts'
import { Id, Saved, text, Version, write } from '../fields.ts'
import { GuestTexts } from './guest-messages.ts'

/** Texts that an organization keeps. */
export const maxTemplates = 200
export const maxTemplateName = 80

/** Texts that come with the product, in the order of a day that goes wrong. */
export const shippedTemplates = [
  'departure_cancelled',
  'running_late',
  'meeting_point_changed',
  'bad_weather',
  'what_to_bring',
  'invoice',
  'credit_note',
  'receipt',
] as const
export type ShippedTemplate = (typeof shippedTemplates)[number]
/** Those of them that are about a document of a booking. */
export const isOfDocument = (key: ShippedTemplate): boolean => billingKinds.some((kind) => kind === key)

const Template = {
  name: z.string(),
  texts: GuestTexts,
}

export const listMessageTemplates = callable({
  name: 'message-templates-list',
  kind: 'read',
  permission: 'notifications:read',
  summary: 'Texts to begin a message with: those that come with the product, and those that the organization keeps.',
  input: z.object({}),
  output: z.object({
    shipped: z.array(z.object({ key: z.enum(shippedTemplates), texts: GuestTexts })),
    own: z.array(z.object({ id: Id, version: Version, ...Template })),
  }),
  topics: ['message_templates'],
})

export const saveMessageTemplate = callable({
  name: 'message-templates-save',
  kind: 'write',
  permission: 'notifications:manage',
  summary: 'Keeps a text under a name, as a new one or over another.',
  input: write({
    id: z.optional(Id),
    version: z.optional(Version),
    name: text(maxTemplateName),
    texts: GuestTexts,
  }),
  output: Saved,
  writes: ['message_templates'],
})

export const deleteMessageTemplate = callable({
  name: 'message-templates-delete',
  kind: 'write',
  permission: 'notifications:manage',
  summary: 'Deletes a text that the organization keeps; messages that were written with it stay.',
  input: write({ id: Id, version: Version }),
  output: z.object({ id: Id }),
  writes: ['message_templates'],
})
