import type { Locale } from '@tour-ops/contract/locales'

/** One and more, `#` is the number. */
type Forms = readonly [one: string, more: string]

export interface CrewWords {
  /** Titles; what follows names the tour and its start. */
  readonly titles: Readonly<Record<'assigned' | 'ended' | 'offered' | 'offer_ended' | 'changed', string>>
  readonly changes: Forms
  readonly as: (role: string) => string
  readonly reportAt: (time: string) => string
  /** Inside of a list. */
  readonly reportAtShort: (time: string) => string
  readonly answerBy: (time: string) => string
  readonly cancelled: string
  readonly instead: Readonly<
    Record<'start' | 'end' | 'report' | 'vehicle' | 'language', (now: string, was: string) => string>
  >
  readonly none: string
  /** The weather note of the departure, as the office wrote it. */
  readonly weather: (note: string) => string
  readonly weatherOver: string
  readonly newPlan: string
  readonly tomorrow: (date: string, what: string) => string
  readonly departures: Forms
  readonly guests: Forms
  readonly unopened: Forms
  readonly dutyMissing: (tour: string) => string
  readonly dutyWasDue: (time: string) => string
}

/** What notices to a crew say in each language; terms as on screen. */
export const crewWords: Readonly<Record<Locale, CrewWords>> = {
  en: {
    titles: {
      assigned: 'Assigned',
      ended: 'No longer assigned',
      offered: 'Assignment offer',
      offer_ended: 'Offer withdrawn',
      changed: 'Changed',
    },
    changes: ['# change to your assignments', '# changes to your assignments'],
    as: (role) => `You are on it as ${role}.`,
    reportAt: (time) => `Report at ${time}.`,
    reportAtShort: (time) => `report at ${time}`,
    answerBy: (time) => `Please reply by ${time}.`,
    cancelled: 'The departure is cancelled.',
    instead: {
      start: (now, was) => `It starts ${now}, not ${was}.`,
      end: (now, was) => `It ends ${now}, not ${was}.`,
      report: (now, was) => `Report at ${now}, not at ${was}.`,
      vehicle: (now, was) => `Vehicle: ${now}, before ${was}.`,
      language: (now, was) => `Language: ${now}, before ${was}.`,
    },
    none: 'none',
    weather: (note) => `Weather: ${note}`,
    weatherOver: 'The weather note no longer applies.',
    newPlan: 'The itinerary is new: please open it.',
    tomorrow: (date, what) => `Tomorrow, ${date}: ${what}`,
    departures: ['# departure', '# departures'],
    guests: ['# guest', '# guests'],
    unopened: ['# new itinerary has not been opened by the crew', '# new itineraries have not been opened by the crew'],
    dutyMissing: (tour) => `Your duty has not started: ${tour}`,
    dutyWasDue: (time) => `It was due at ${time}. Please start it on your phone, or call the office.`,
  },
  de: {
    titles: {
      assigned: 'Eingeteilt',
      ended: 'Nicht mehr eingeteilt',
      offered: 'Einsatzangebot',
      offer_ended: 'Angebot zurückgezogen',
      changed: 'Geändert',
    },
    changes: ['# Änderung an Ihren Einsätzen', '# Änderungen an Ihren Einsätzen'],
    as: (role) => `Ihre Rolle: ${role}.`,
    reportAt: (time) => `Dienstbeginn ${time}.`,
    reportAtShort: (time) => `Dienstbeginn ${time}`,
    answerBy: (time) => `Bitte antworten Sie bis ${time}.`,
    cancelled: 'Die Abfahrt ist abgesagt.',
    instead: {
      start: (now, was) => `Beginn ${now}, nicht ${was}.`,
      end: (now, was) => `Ende ${now}, nicht ${was}.`,
      report: (now, was) => `Dienstbeginn ${now}, nicht ${was}.`,
      vehicle: (now, was) => `Fahrzeug: ${now}, vorher ${was}.`,
      language: (now, was) => `Sprache: ${now}, vorher ${was}.`,
    },
    none: 'keines',
    weather: (note) => `Wetter: ${note}`,
    weatherOver: 'Der Wetterhinweis gilt nicht mehr.',
    newPlan: 'Der Ablauf ist neu: bitte öffnen.',
    tomorrow: (date, what) => `Morgen, ${date}: ${what}`,
    departures: ['# Abfahrt', '# Abfahrten'],
    guests: ['# Gast', '# Gäste'],
    unopened: ['# neuer Ablauf ist vom Team nicht geöffnet', '# neue Abläufe sind vom Team nicht geöffnet'],
    dutyMissing: (tour) => `Ihr Dienst hat nicht begonnen: ${tour}`,
    dutyWasDue: (time) =>
      `Dienstbeginn war ${time}. Bitte beginnen Sie ihn auf dem Telefon, oder rufen Sie im Büro an.`,
  },
  es: {
    titles: {
      assigned: 'Asignado',
      ended: 'Ya no asignado',
      offered: 'Oferta de asignación',
      offer_ended: 'Oferta retirada',
      changed: 'Cambiado',
    },
    changes: ['# cambio en sus asignaciones', '# cambios en sus asignaciones'],
    as: (role) => `Su función: ${role}.`,
    reportAt: (time) => `Preséntese a las ${time}.`,
    reportAtShort: (time) => `presentarse a las ${time}`,
    answerBy: (time) => `Responda antes del ${time}.`,
    cancelled: 'La salida está cancelada.',
    instead: {
      start: (now, was) => `Empieza ${now}, no ${was}.`,
      end: (now, was) => `Termina ${now}, no ${was}.`,
      report: (now, was) => `Preséntese a las ${now}, no a las ${was}.`,
      vehicle: (now, was) => `Vehículo: ${now}, antes ${was}.`,
      language: (now, was) => `Idioma: ${now}, antes ${was}.`,
    },
    none: 'ninguno',
    weather: (note) => `Tiempo: ${note}`,
    weatherOver: 'El aviso meteorológico ya no es válido.',
    newPlan: 'El itinerario es nuevo: ábralo, por favor.',
    tomorrow: (date, what) => `Mañana, ${date}: ${what}`,
    departures: ['# salida', '# salidas'],
    guests: ['# viajero', '# viajeros'],
    unopened: ['El equipo no ha abierto # itinerario nuevo', 'El equipo no ha abierto # itinerarios nuevos'],
    dutyMissing: (tour) => `Su servicio no ha empezado: ${tour}`,
    dutyWasDue: (time) => `Debía empezar a las ${time}. Inícielo en su teléfono o llame a la oficina, por favor.`,
  },
}
