import type { ReadinessCheck } from '@tour-ops/contract/departures/departures'
import type { Locale } from '@tour-ops/contract/locales'
import type { severities } from '@tour-ops/contract/monitoring/alerts'

/** One and more, `#` is the number. */
type Forms = readonly [one: string, more: string]

export interface DigestLabels {
  readonly title: (date: string, figures: string) => string
  readonly departures: Forms
  readonly guests: Forms
  readonly seats: Forms
  readonly noDepartures: string
  readonly allReady: string
  readonly more: Forms
  /** Headings of lists; a number follows. */
  readonly headings: Readonly<Record<'unready' | 'openRoles' | 'unanswered' | 'alerts' | 'late' | 'ratings', string>>
  readonly failing: Readonly<Record<ReadinessCheck, string>>
  readonly severities: Readonly<Record<(typeof severities)[number], string>>
  readonly minutesLate: (minutes: string) => string
  readonly stars: (stars: number) => string
  readonly footer: (time: string) => string
  readonly footerAsked: string
}

/** What the digest says in each language; terms as on screen. */
export const digestLabels: Readonly<Record<Locale, DigestLabels>> = {
  en: {
    title: (date, figures) => `Tomorrow, ${date}: ${figures}`,
    departures: ['# departure', '# departures'],
    guests: ['# guest', '# guests'],
    seats: ['# seat', '# seats'],
    noDepartures: 'no departures',
    allReady: 'All departures are ready.',
    more: ['and # more', 'and # more'],
    headings: {
      unready: 'Not ready',
      openRoles: 'Departures with unfilled roles',
      unanswered: 'Unanswered assignment offers',
      alerts: 'Open alerts',
      late: 'Late today',
      ratings: 'New poor ratings',
    },
    failing: {
      lead_guide: 'no lead guide has accepted',
      language: 'nobody in the crew speaks the language',
      guide_ratio: 'too few guides for the group',
      vehicle_seats: 'no vehicle, or too few seats',
      services_confirmed: 'services are not confirmed',
      documents: 'documents are missing',
      weather_note: 'weather note missing',
      minimum_pax: 'below the minimum',
      messages_delivered: 'messages failed',
      suppliers_informed: 'suppliers do not know of a change',
    },
    severities: { critical: 'critical', warning: 'warning', info: 'info' },
    minutesLate: (minutes) => `${minutes} min late`,
    stars: (stars) => `${stars} of 5 stars`,
    footer: (time) => `The office gets this every day at ${time}. Switch it off, or choose where you get it:`,
    footerAsked: 'You asked for this digest. Choose where you get it every day:',
  },
  de: {
    title: (date, figures) => `Morgen, ${date}: ${figures}`,
    departures: ['# Abfahrt', '# Abfahrten'],
    guests: ['# Gast', '# Gäste'],
    seats: ['# Platz', '# Plätze'],
    noDepartures: 'keine Abfahrten',
    allReady: 'Alle Abfahrten sind bereit.',
    more: ['und # weitere', 'und # weitere'],
    headings: {
      unready: 'Nicht bereit',
      openRoles: 'Abfahrten mit offenen Rollen',
      unanswered: 'Unbeantwortete Einsatzangebote',
      alerts: 'Offene Alarme',
      late: 'Heute verspätet',
      ratings: 'Neue schlechte Bewertungen',
    },
    failing: {
      lead_guide: 'keine Reiseleitung hat zugesagt',
      language: 'niemand im Team spricht die Sprache',
      guide_ratio: 'zu wenige Guides für die Gruppe',
      vehicle_seats: 'kein Fahrzeug oder zu wenige Plätze',
      services_confirmed: 'Leistungen sind nicht bestätigt',
      documents: 'Dokumente fehlen',
      weather_note: 'Wetterhinweis fehlt',
      minimum_pax: 'unter der Mindestteilnehmerzahl',
      messages_delivered: 'Nachrichten nicht zugestellt',
      suppliers_informed: 'Leistungsträger wissen nichts von einer Änderung',
    },
    severities: { critical: 'kritisch', warning: 'Warnung', info: 'Hinweis' },
    minutesLate: (minutes) => `${minutes} min Verspätung`,
    stars: (stars) => `${stars} von 5 Sternen`,
    footer: (time) => `Das Büro erhält dies täglich um ${time}. Abschalten oder wählen, wo Sie es erhalten:`,
    footerAsked: 'Sie haben diese Übersicht angefordert. Wählen, wo Sie sie täglich erhalten:',
  },
  es: {
    title: (date, figures) => `Mañana, ${date}: ${figures}`,
    departures: ['# salida', '# salidas'],
    guests: ['# viajero', '# viajeros'],
    seats: ['# plaza', '# plazas'],
    noDepartures: 'ninguna salida',
    allReady: 'Todas las salidas están listas.',
    more: ['y # más', 'y # más'],
    headings: {
      unready: 'Sin preparar',
      openRoles: 'Salidas con funciones sin cubrir',
      unanswered: 'Ofertas de asignación sin respuesta',
      alerts: 'Alertas abiertas',
      late: 'Con retraso hoy',
      ratings: 'Nuevas valoraciones bajas',
    },
    failing: {
      lead_guide: 'ningún guía principal ha aceptado',
      language: 'nadie del equipo habla el idioma',
      guide_ratio: 'faltan guías para el grupo',
      vehicle_seats: 'sin vehículo o con pocas plazas',
      services_confirmed: 'servicios sin confirmar',
      documents: 'faltan documentos',
      weather_note: 'falta la nota meteorológica',
      minimum_pax: 'por debajo del mínimo',
      messages_delivered: 'mensajes sin entregar',
      suppliers_informed: 'proveedores sin avisar de un cambio',
    },
    severities: { critical: 'críticas', warning: 'avisos', info: 'informativas' },
    minutesLate: (minutes) => `${minutes} min de retraso`,
    stars: (stars) => `${stars} de 5 estrellas`,
    footer: (time) => `La oficina recibe este resumen cada día a las ${time}. Desactívelo o elija dónde lo recibe:`,
    footerAsked: 'Ha pedido este resumen. Elija dónde lo recibe cada día:',
  },
}
