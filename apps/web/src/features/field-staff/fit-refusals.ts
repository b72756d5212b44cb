import type { AppError } from '@tour-ops/contract/errors'
import { AgainstPeople, FitReason } from '@tour-ops/contract/field-staff/assignments'
import * as z from 'zod/mini'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { formatList } from '../../ui/format.ts'
import { fitReasonText } from './fit-labels.ts'

const Reasons = z.array(FitReason)

/** What the server holds against people, where it refused an assignment or an offer for want of a reason; null for any other refusal. */
export function againstIn(error: AppError | null): AgainstPeople | null {
  const against = AgainstPeople.safeParse(error?.details['against'])
  return against.success ? against.data : null
}

/** What speaks against an offer since it was sent; null for any other refusal. */
export function reasonsSince(error: AppError | null): FitReason[] | null {
  if (error?.details.reason !== 'no_longer_fits') return null
  const reasons = Reasons.safeParse(error.details['reasons'])
  return reasons.success ? reasons.data : null
}

/** Why a yes to an offer was refused, with the figures where the person fits no longer. */
export function acceptRefusal(error: AppError | null): string | null {
  if (!error) return null
  const sentences = reasonsSince(error)?.map(fitReasonText) ?? []
  return sentences.length > 0 ? m.field_staff_no_longer_fits({ reasons: formatList(sentences) }) : refusalText(error)
}
