import type { certificateKinds } from '@tour-ops/contract/field-staff/staff-terms'
import { m } from '../../paraglide/messages.js'

type CertificateKind = (typeof certificateKinds)[number]

export const certificateLabels: Record<CertificateKind, () => string> = {
  first_aid: m.field_staff_certificate_first_aid,
  wilderness_first_aid: m.field_staff_certificate_wilderness_first_aid,
  national_guide_licence: m.field_staff_certificate_national_guide_licence,
  driving_D1: m.field_staff_certificate_driving_D1,
  driving_D: m.field_staff_certificate_driving_D,
  mountain_guide: m.field_staff_certificate_mountain_guide,
  lifeguard: m.field_staff_certificate_lifeguard,
  other: m.field_staff_certificate_other,
}

const isNamed = (kind: string): kind is Exclude<CertificateKind, 'other'> =>
  kind !== 'other' && Object.hasOwn(certificateLabels, kind)

/** The document as part of a sentence: one without its own name is a certificate. */
export const certificateName = (kind: string): string =>
  isNamed(kind) ? certificateLabels[kind]() : m.field_staff_certificate_unnamed()
