import type { Locale } from '@tour-ops/contract/locales'
import type { StaffRole } from '@tour-ops/contract/tours/tour-terms'

/** Roles of a crew as letters and notices name them, inside of a sentence. */
export const roleNames: Readonly<Record<Locale, Readonly<Record<StaffRole, string>>>> = {
  en: {
    lead_guide: 'lead guide',
    guide: 'guide',
    driver: 'driver',
    backup: 'standby',
    tour_leader: 'tour leader',
    porter: 'porter',
  },
  de: {
    lead_guide: 'Reiseleitung',
    guide: 'Guide',
    driver: 'Fahrer',
    backup: 'Ersatz',
    tour_leader: 'Reisebegleitung',
    porter: 'Träger',
  },
  es: {
    lead_guide: 'guía principal',
    guide: 'guía',
    driver: 'conductor',
    backup: 'suplente',
    tour_leader: 'guía acompañante',
    porter: 'porteador',
  },
}
