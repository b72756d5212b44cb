import type { AlertKind, AlertRow } from '@tour-ops/contract/monitoring/alerts'
import type { DueSubject } from '../../platform/operations/alert-dues.ts'

/** Something that is true now and wants a person. One open alert per `key` follows from it. */
export interface Signal {
  readonly key: string
  /** Which of those that are evaluated says it. */
  readonly of: DueSubject
  readonly kind: AlertKind
  readonly severity: AlertRow['severity']
  readonly subjectType: string
  readonly subjectId: string
  readonly departureId: string | null
  /** The fact in English, for exports and e-mails; screens make their own sentence from kind and evidence. */
  readonly title: string
  readonly evidence: Readonly<Record<string, unknown>>
  /** Where it was seen, for people who may see positions. */
  readonly place?: { readonly lat: number; readonly lng: number; readonly at: string } | null
}
