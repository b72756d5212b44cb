import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import type { UnitType } from '@tour-ops/contract/units'

type StopKind = 'start' | 'pickup' | 'visit' | 'meal' | 'photo' | 'rest' | 'transfer' | 'overnight' | 'end'

/** A stop: place key, minutes after the start of its day, minutes there, kind, and what else holds. */
export interface DemoStop {
  readonly place: string
  readonly offsetMin: number
  readonly dwellMin: number
  readonly kind: StopKind
  readonly slackMin?: number
  readonly headcount?: boolean
  readonly timedEntry?: boolean
  /** Where guests come here otherwise than by road, or on a walking tour on foot. */
  readonly travelMode?: TravelMode
}

export interface DemoTour {
  readonly code: string
  readonly name: string
  readonly kind: 'day' | 'multi_day' | 'walking' | 'transfer'
  readonly timeZone: string
  readonly color: string
  readonly capacity: number
  readonly minPax: number
  readonly durationMin: number
  readonly difficulty?: 'easy' | 'moderate' | 'demanding' | 'expert'
  readonly languages: readonly string[]
  readonly vehicleClass?: 'minibus' | 'coach' | '4x4' | 'van'
  readonly roles: readonly ('lead_guide' | 'driver' | 'tour_leader' | 'porter')[]
  /** RFC 5545 rule and start times; several days' tours start once. */
  readonly rrule: string
  readonly startTimes: readonly string[]
  readonly prices: readonly (readonly [UnitType, number])[]
  readonly currency: string
  /** On sale since yesterday only. */
  readonly isNew?: true
  /** Share of the seats sold for near days, 0 to 1. */
  readonly demand: number
  readonly days: readonly { readonly title: string; readonly stops: readonly DemoStop[] }[]
  readonly description: string
  /** One thing a line. */
  readonly whatToBring?: string
}

const stop = (
  place: string,
  offsetMin: number,
  dwellMin: number,
  kind: StopKind = 'visit',
  more: Partial<DemoStop> = {},
): DemoStop => ({ place, offsetMin, dwellMin, kind, ...more })

const visit = (place: string, offsetMin: number, dwellMin: number, slackMin = 0): DemoStop =>
  stop(place, offsetMin, dwellMin, 'visit', { headcount: true, slackMin })

/** A day of driving from one place to the next, breakfast to night. */
const leg = (title: string, from: string, to: string, minutes: number, more: Partial<DemoStop> = {}) => ({
  title,
  stops: [stop(from, 0, 15, 'start'), stop(to, minutes, 0, 'overnight', { headcount: true, ...more })],
})

const onFoot = { travelMode: 'walk' } as const

/** The same on foot. */
const trek = (title: string, from: string, to: string, minutes: number) => leg(title, from, to, minutes, onFoot)

/** The tour that is out at any hour: it runs late, and one guest is missing at each count until it is back. */
export const roundTheClock = 'LOOP'

/** Minutes from one end of the loop to the other, with the time there. */
const roundMin = 58

/** To the airport and back, this many times one way. Heads are counted before the second return trip. */
const rounds = (ways: number): DemoStop[] =>
  Array.from({ length: ways + 1 }, (_, place) => {
    const kind = place === 0 ? 'start' : place === ways ? 'end' : 'transfer'
    const headcount = place === 3
    return stop(place % 2 === 0 ? 'bsi' : 'kef', place * roundMin, place === ways ? 0 : headcount ? 8 : 2, kind, {
      headcount,
    })
  })

/** The catalogue of the demo. See docs/domain.md, "Demo organization". */
export const demoTours: readonly DemoTour[] = [
  {
    code: 'GOLD',
    name: 'Golden Circle',
    kind: 'day',
    timeZone: 'Atlantic/Reykjavik',
    color: '#C93B00',
    capacity: 19,
    minPax: 4,
    durationMin: 480,
    languages: ['en', 'de', 'is'],
    vehicleClass: 'minibus',
    roles: ['lead_guide'],
    rrule: 'FREQ=DAILY',
    startTimes: ['09:00'],
    prices: [
      ['adult', 12900],
      ['youth', 6450],
      ['child', 0],
    ],
    currency: 'ISK',
    demand: 0.9,
    days: [
      {
        title: 'Golden Circle',
        stops: [
          stop('bsi', 0, 0, 'start'),
          visit('thingvellir', 55, 60, 5),
          stop('laugarvatn', 150, 15, 'photo', { slackMin: 5 }),
          stop('geysir', 195, 75, 'meal', { headcount: true, slackMin: 10 }),
          visit('gullfoss', 285, 50, 5),
          visit('kerid', 390, 30, 8),
          stop('bsi', 480, 0, 'end'),
        ],
      },
    ],
    description: 'The classic day: the rift of Þingvellir, Strokkur erupting, Gullfoss and the crater of Kerið.',
    whatToBring: 'Warm layers, hat and gloves\nSturdy shoes, paths are icy\nWater bottle\nThis page, it is your ticket',
  },
  {
    code: 'SOUTH',
    name: 'South Coast',
    kind: 'day',
    timeZone: 'Atlantic/Reykjavik',
    color: '#1B4FA8',
    capacity: 50,
    minPax: 8,
    durationMin: 630,
    languages: ['en'],
    vehicleClass: 'coach',
    roles: ['lead_guide', 'driver'],
    rrule: 'FREQ=DAILY',
    startTimes: ['08:00'],
    prices: [
      ['adult', 14900],
      ['youth', 7450],
      ['child', 0],
    ],
    currency: 'ISK',
    demand: 0.82,
    days: [
      {
        title: 'South Coast',
        stops: [
          stop('bsi', 0, 0, 'start'),
          visit('seljalandsfoss', 120, 40, 5),
          visit('skogafoss', 195, 50, 5),
          visit('reynisfjara', 290, 45, 5),
          stop('vik', 350, 60, 'meal', { headcount: true, slackMin: 15 }),
          stop('bsi', 630, 0, 'end'),
        ],
      },
    ],
    description: 'Waterfalls, black sand and the village of Vík, by coach.',
    whatToBring: 'Rain jacket\nSturdy shoes\nWater bottle',
  },
  {
    code: 'NLIGHT',
    name: 'Northern Lights',
    kind: 'day',
    timeZone: 'Atlantic/Reykjavik',
    color: '#6B3FA0',
    capacity: 40,
    minPax: 6,
    durationMin: 270,
    languages: ['en'],
    vehicleClass: 'coach',
    roles: ['lead_guide', 'driver'],
    rrule: 'FREQ=DAILY;BYMONTH=1,2,3,4,9,10,11,12',
    startTimes: ['21:00'],
    prices: [
      ['adult', 8900],
      ['youth', 4450],
    ],
    currency: 'ISK',
    demand: 0.7,
    days: [
      {
        title: 'Night drive',
        stops: [
          stop('bsi', 0, 0, 'start'),
          stop('dark-spot', 60, 120, 'photo', { headcount: true, slackMin: 30 }),
          stop('bsi', 270, 0, 'end'),
        ],
      },
    ],
    description: 'Over midnight into the dark; whether it goes is decided at 18:00 by the weather.',
  },
  {
    code: 'ALFA',
    name: 'Alfama walk',
    kind: 'walking',
    timeZone: 'Europe/Lisbon',
    color: '#14683F',
    capacity: 16,
    minPax: 2,
    durationMin: 180,
    languages: ['en', 'pt', 'es', 'fr'],
    roles: ['lead_guide'],
    rrule: 'FREQ=DAILY',
    startTimes: ['10:00', '16:00'],
    prices: [
      ['adult', 2900],
      ['child', 1450],
    ],
    currency: 'EUR',
    demand: 0.85,
    days: [
      {
        title: 'Alfama',
        stops: [
          stop('arco', 0, 10, 'start'),
          stop('se', 20, 15),
          stop('santa-luzia', 40, 10),
          stop('portas-do-sol', 55, 10, 'photo'),
          stop('castelo', 75, 45, 'visit', { headcount: true, slackMin: 5 }),
          stop('fado', 140, 20),
          stop('panteao', 165, 15, 'end'),
        ],
      },
    ],
    description: 'Three hours on foot through the oldest quarter of Lisbon.',
    whatToBring: 'Comfortable shoes\nWater bottle\nSomething against the sun',
  },
  {
    code: 'FOOD',
    name: 'Lisbon by night',
    kind: 'walking',
    timeZone: 'Europe/Lisbon',
    color: '#A8123E',
    capacity: 12,
    minPax: 4,
    durationMin: 210,
    languages: ['en', 'pt'],
    roles: ['lead_guide'],
    rrule: 'FREQ=DAILY',
    startTimes: ['19:00'],
    prices: [['adult', 7900]],
    currency: 'EUR',
    demand: 0.55,
    days: [
      {
        title: 'Food and fado',
        stops: [
          stop('rossio', 0, 10, 'start'),
          stop('bairro-alto', 30, 70, 'meal', { headcount: true }),
          stop('time-out', 120, 80, 'meal'),
          stop('time-out', 210, 0, 'end'),
        ],
      },
    ],
    description: 'Petiscos, wine and fado; tell us what you do not eat.',
  },
  {
    code: 'SINT',
    name: 'Sintra and Cascais',
    kind: 'day',
    timeZone: 'Europe/Lisbon',
    color: '#8A4B00',
    capacity: 8,
    minPax: 2,
    durationMin: 510,
    languages: ['en', 'es'],
    vehicleClass: 'van',
    roles: ['lead_guide'],
    rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA',
    startTimes: ['09:00'],
    prices: [
      ['adult', 8500],
      ['child', 4250],
    ],
    currency: 'EUR',
    demand: 0.9,
    days: [
      {
        title: 'Sintra and the coast',
        stops: [
          stop('hotel-avenida', 0, 5, 'pickup'),
          stop('hotel-tejo', 15, 5, 'pickup'),
          stop('pena', 75, 90, 'visit', { headcount: true, timedEntry: true }),
          stop('sintra', 180, 75, 'meal', { headcount: true, slackMin: 10 }),
          stop('cabo-da-roca', 290, 30, 'photo', { slackMin: 5 }),
          visit('cascais', 350, 60, 10),
          stop('rossio', 510, 0, 'end'),
        ],
      },
    ],
    description: 'Pena at a booked hour, lunch in Sintra, the western end of Europe.',
  },
  {
    code: 'POON',
    name: 'Ghorepani Poon Hill trek',
    kind: 'multi_day',
    timeZone: 'Asia/Kathmandu',
    color: '#0F766E',
    capacity: 12,
    minPax: 4,
    durationMin: 420,
    difficulty: 'moderate',
    languages: ['en'],
    roles: ['lead_guide', 'porter'],
    // until the safari of Sunday has left, and that one until the next Friday: at night nobody else is out whose phone can fall silent
    rrule: 'FREQ=WEEKLY;BYDAY=FR',
    startTimes: ['07:00'],
    prices: [['adult', 42000]],
    currency: 'USD',
    demand: 0.7,
    days: [
      leg('To Ulleri', 'pokhara', 'ulleri', 480),
      trek('To Ghorepani', 'ulleri', 'ghorepani', 330),
      {
        title: 'Poon Hill at sunrise',
        stops: [
          stop('ghorepani', -120, 0, 'start'),
          stop('poon-hill', -60, 60, 'photo', { headcount: true, ...onFoot }),
          stop('tadapani', 420, 0, 'overnight', { headcount: true, ...onFoot }),
        ],
      },
      trek('To Ghandruk', 'tadapani', 'ghandruk', 240),
      {
        title: 'Back to Pokhara',
        stops: [
          stop('ghandruk', 0, 15, 'start'),
          stop('nayapul', 240, 45, 'meal', { headcount: true, ...onFoot }),
          stop('pokhara', 420, 0, 'end'),
        ],
      },
    ],
    description: 'Five days through rhododendron forest to the sunrise over the Annapurna range. Permits included.',
  },
  {
    code: 'ANNA',
    name: 'Annapurna Circuit',
    kind: 'multi_day',
    timeZone: 'Asia/Kathmandu',
    color: '#475569',
    capacity: 12,
    minPax: 4,
    durationMin: 420,
    difficulty: 'demanding',
    languages: ['en'],
    roles: ['lead_guide', 'porter'],
    rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYMONTH=3,4,5,9,10,11',
    startTimes: ['07:00'],
    prices: [['adult', 145000]],
    currency: 'USD',
    demand: 0.75,
    days: [
      leg('To Besisahar', 'kathmandu', 'besisahar', 420),
      leg('To Chame', 'besisahar', 'chame', 480),
      trek('To Pisang', 'chame', 'pisang', 330),
      trek('To Manang', 'pisang', 'manang', 390),
      {
        title: 'Rest in Manang',
        stops: [stop('manang', 0, 600, 'rest'), stop('manang', 720, 0, 'overnight', { headcount: true })],
      },
      trek('To Yak Kharka', 'manang', 'yak-kharka', 270),
      trek('To Thorong Phedi', 'yak-kharka', 'thorong-phedi', 240),
      {
        title: 'Over Thorong La',
        stops: [
          stop('thorong-phedi', -180, 0, 'start'),
          stop('thorong-la', 150, 30, 'photo', { headcount: true, ...onFoot }),
          stop('muktinath', 480, 0, 'overnight', { headcount: true, ...onFoot }),
        ],
      },
      leg('To Jomsom', 'muktinath', 'jomsom', 330),
      {
        title: 'Rest in Jomsom',
        stops: [stop('jomsom', 0, 600, 'rest'), stop('jomsom', 720, 0, 'overnight', { headcount: true })],
      },
      leg('To Ghorepani', 'jomsom', 'ghorepani', 480),
      trek('To Tadapani', 'ghorepani', 'tadapani', 390),
      trek('To Ghandruk', 'tadapani', 'ghandruk', 240),
      {
        title: 'Back to Pokhara',
        stops: [
          stop('ghandruk', 0, 15, 'start'),
          stop('nayapul', 240, 45, 'meal', { headcount: true, ...onFoot }),
          stop('pokhara', 420, 0, 'end'),
        ],
      },
    ],
    description: 'Fourteen days around the massif over Thorong La (5,416 m). Long stretches have no signal.',
  },
  {
    code: 'SAFA',
    name: 'Northern Tanzania safari',
    kind: 'multi_day',
    timeZone: 'Africa/Dar_es_Salaam',
    color: '#92400E',
    capacity: 6,
    minPax: 2,
    durationMin: 540,
    languages: ['en', 'de'],
    vehicleClass: '4x4',
    roles: ['lead_guide'],
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    startTimes: ['07:30'],
    prices: [
      ['adult', 289000],
      ['child', 199000],
    ],
    currency: 'USD',
    demand: 0.9,
    days: [
      {
        title: 'Tarangire',
        stops: [
          stop('arusha', 0, 0, 'start'),
          visit('tarangire', 150, 300),
          stop('karatu', 600, 0, 'overnight', { headcount: true }),
        ],
      },
      leg('To the crater rim', 'karatu', 'ngorongoro', 120),
      leg('Into the Serengeti', 'ngorongoro', 'seronera', 300),
      {
        title: 'Serengeti',
        stops: [
          stop('seronera', -60, 0, 'start'),
          stop('seronera', 420, 60, 'meal', { headcount: true }),
          stop('seronera', 660, 0, 'overnight'),
        ],
      },
      leg('Back to Karatu', 'seronera', 'karatu', 360),
      {
        title: 'To Arusha',
        stops: [stop('karatu', 0, 15, 'start'), stop('arusha', 240, 0, 'end')],
      },
    ],
    description: 'Six days by 4x4: Tarangire, Ngorongoro and Serengeti.',
  },
  {
    code: 'KEFT',
    name: 'Airport transfer KEF',
    kind: 'transfer',
    timeZone: 'Atlantic/Reykjavik',
    color: '#3D4A57',
    capacity: 8,
    minPax: 1,
    durationMin: 50,
    languages: ['en'],
    vehicleClass: 'van',
    roles: ['lead_guide'],
    rrule: 'FREQ=DAILY',
    startTimes: ['06:15', '14:15', '17:30'],
    prices: [['adult', 3900]],
    currency: 'ISK',
    demand: 0.5,
    days: [{ title: 'Transfer', stops: [stop('kef', 0, 15, 'start'), stop('bsi', 50, 0, 'end')] }],
    description: 'Keflavík airport to the bus terminal in Reykjavík.',
  },
  {
    code: roundTheClock,
    name: 'Airport loop bus',
    kind: 'transfer',
    timeZone: 'Atlantic/Reykjavik',
    color: '#1F6F5C',
    capacity: 12,
    minPax: 1,
    durationMin: 9 * roundMin,
    languages: ['en'],
    vehicleClass: 'minibus',
    roles: ['lead_guide'],
    rrule: 'FREQ=DAILY',
    // each is out until the next one is on its way, so that somebody is on the road at any hour
    startTimes: ['05:45', '13:45', '21:45'],
    prices: [['adult', 2900]],
    currency: 'ISK',
    isNew: true,
    demand: 0.4,
    days: [{ title: 'Loop', stops: rounds(9) }],
    description: 'Between the bus terminal in Reykjavík and Keflavík airport, back and forth, day and night.',
  },
]
