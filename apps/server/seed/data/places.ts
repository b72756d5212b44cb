import type { In } from '@tour-ops/contract/callable'
import type { createPlace } from '@tour-ops/contract/places/places'

type PlaceInput = In<typeof createPlace>
type PlaceKind = PlaceInput['kind']

/** key, name, kind, latitude, longitude. Public geography, rounded, about ±300 m. */
type Row = readonly [key: string, name: string, kind: PlaceKind, lat: number, lng: number]

const iceland: readonly Row[] = [
  ['bsi', 'BSÍ bus terminal', 'meeting_point', 64.1375, -21.935],
  ['kef', 'Keflavík airport', 'airport', 63.985, -22.605],
  ['thingvellir', 'Þingvellir, Hakið', 'sight', 64.2559, -21.1299],
  ['laugarvatn', 'Laugarvatn', 'viewpoint', 64.2147, -20.73],
  ['geysir', 'Geysir and Strokkur', 'sight', 64.3104, -20.3014],
  ['gullfoss', 'Gullfoss', 'sight', 64.3271, -20.1199],
  ['kerid', 'Kerið', 'sight', 64.0413, -20.8851],
  ['seljalandsfoss', 'Seljalandsfoss', 'sight', 63.6156, -19.9886],
  ['skogafoss', 'Skógafoss', 'sight', 63.532, -19.5114],
  ['reynisfjara', 'Reynisfjara', 'sight', 63.4044, -19.044],
  ['vik', 'Vík í Mýrdal', 'restaurant', 63.4186, -19.006],
  ['dark-spot', 'Þingvellir dark spot', 'viewpoint', 64.269, -21.09],
]

const portugal: readonly Row[] = [
  ['arco', 'Arco da Rua Augusta', 'meeting_point', 38.7084, -9.1368],
  ['se', 'Sé de Lisboa', 'sight', 38.7098, -9.1326],
  ['santa-luzia', 'Miradouro de Santa Luzia', 'viewpoint', 38.7115, -9.1302],
  ['portas-do-sol', 'Portas do Sol', 'viewpoint', 38.7123, -9.1302],
  ['castelo', 'Castelo de São Jorge', 'sight', 38.7139, -9.1335],
  ['fado', 'Museu do Fado', 'sight', 38.7113, -9.1277],
  ['panteao', 'Panteão Nacional', 'sight', 38.715, -9.1248],
  ['rossio', 'Rossio', 'meeting_point', 38.7139, -9.1394],
  ['bairro-alto', 'Bairro Alto', 'restaurant', 38.713, -9.145],
  ['time-out', 'Time Out Market', 'restaurant', 38.7069, -9.1459],
  ['hotel-avenida', 'Hotel Avenida pick-up', 'hotel', 38.7185, -9.1425],
  ['hotel-tejo', 'Hotel Tejo pick-up', 'hotel', 38.7078, -9.1447],
  ['pena', 'Palácio da Pena', 'sight', 38.7876, -9.3906],
  ['sintra', 'Sintra old town', 'restaurant', 38.7975, -9.3907],
  ['cabo-da-roca', 'Cabo da Roca', 'viewpoint', 38.7804, -9.4989],
  ['cascais', 'Cascais', 'sight', 38.697, -9.4215],
]

const nepal: readonly Row[] = [
  ['pokhara', 'Pokhara', 'depot', 28.2096, 83.9856],
  ['nayapul', 'Nayapul', 'meeting_point', 28.301, 83.774],
  ['ulleri', 'Ulleri', 'camp', 28.36, 83.733],
  ['ghorepani', 'Ghorepani', 'camp', 28.4, 83.7],
  ['poon-hill', 'Poon Hill', 'viewpoint', 28.4, 83.69],
  ['tadapani', 'Tadapani', 'camp', 28.395, 83.766],
  ['ghandruk', 'Ghandruk', 'camp', 28.376, 83.808],
  ['kathmandu', 'Kathmandu', 'depot', 27.7172, 85.324],
  ['besisahar', 'Besisahar', 'camp', 28.231, 84.378],
  ['chame', 'Chame', 'camp', 28.55, 84.24],
  ['pisang', 'Pisang', 'camp', 28.617, 84.15],
  ['manang', 'Manang', 'camp', 28.667, 84.017],
  ['yak-kharka', 'Yak Kharka', 'camp', 28.71, 83.99],
  ['thorong-phedi', 'Thorong Phedi', 'camp', 28.77, 83.97],
  ['thorong-la', 'Thorong La', 'viewpoint', 28.794, 83.938],
  ['muktinath', 'Muktinath', 'camp', 28.817, 83.872],
  ['jomsom', 'Jomsom', 'airport', 28.781, 83.723],
]

const tanzania: readonly Row[] = [
  ['arusha', 'Arusha', 'depot', -3.387, 36.683],
  ['tarangire', 'Tarangire', 'sight', -3.84, 36.0],
  ['karatu', 'Karatu', 'camp', -3.34, 35.67],
  ['ngorongoro', 'Ngorongoro rim', 'viewpoint', -3.24, 35.49],
  ['seronera', 'Seronera', 'camp', -2.43, 34.82],
]

const inZone = (timeZone: string, rows: readonly Row[]): readonly (readonly [string, PlaceInput])[] =>
  rows.map(([key, name, kind, lat, lng]) => [key, { name, kind, lat, lng, timeZone }])

/** Every place of the demo by key. See docs/domain.md, "Demo organization". */
export const demoPlaces: readonly (readonly [string, PlaceInput])[] = [
  ...inZone('Atlantic/Reykjavik', iceland),
  ...inZone('Europe/Lisbon', portugal),
  ...inZone('Asia/Kathmandu', nepal),
  ...inZone('Africa/Dar_es_Salaam', tanzania),
]
