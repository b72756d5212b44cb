import { importLanguages } from '@tour-ops/contract/imports/import-corrections'
import type { RoomType } from '@tour-ops/contract/bookings/room-types'
import type { channels } from '@tour-ops/contract/bookings/channels'
import type { DietaryNeed, MobilityNeed } from '@tour-ops/contract/travelers/needs'
import type { genders } from '@tour-ops/contract/travelers/travelers'
import type { UnitType } from '@tour-ops/contract/units'
import { wordKey } from '../../platform/word-key.ts'

// What agents write for our words, in English, German, Spanish, French, Italian and in the short forms of their systems.

type Channel = (typeof channels)[number]
type Gender = (typeof genders)[number]

function vocabulary<W extends string>(words: Readonly<Record<W, string>>): ReadonlyMap<string, W> {
  const known = new Map<string, W>()
  for (const word of Object.keys(words) as W[]) {
    for (const spelling of [word, ...words[word].split(',')]) known.set(wordKey(spelling), word)
  }
  return known
}

export const unitWords = vocabulary<UnitType>({
  adult: 'adt,adults,a,ad,erwachsener,erwachsene,erw,erwachsen,adulto,adultos,adulta,adultas,adulte,adultes,adulti',
  youth:
    'yth,y,teen,teenager,young adult,jugendlicher,jugendliche,jugend,youths,joven,jovenes,adolescente,adolescentes,jeune,jeunes,adolescents,ragazzo,ragazzi,giovane,giovani',
  child:
    'chd,children,c,ch,kid,kids,kind,kinder,nino,ninos,nina,ninas,menor,menores,enfant,enfants,bambino,bambina,bambini,bambine',
  infant:
    'inf,infants,i,baby,babies,kleinkind,kleinkinder,saugling,sauglinge,bebe,bebes,nourrisson,nourrissons,neonato,neonati,toddler,toddlers',
  family: 'fam,families,familie,familienkarte,familia,familias,famille,familles,famiglia,famiglie',
  senior: 'snr,seniors,s,senioren,rentner,jubilado,jubilados,mayor,mayores,aine,aines,anziano,anziani',
  student:
    'stu,students,studenten,studierende,estudiante,estudiantes,etudiant,etudiants,etudiante,etudiantes,studente,studenti',
  military: 'mil,soldat,militar',
  other: 'oth,andere,sonstige,otro,otros,others,autre,autres,altro,altri',
})

export const channelWords = vocabulary<Channel>({
  direct: 'website,web,online,direkt,directo,own website,site web,site internet,diretto,sito web',
  phone: 'telephone,telefon,telefono,call,appel',
  agent:
    'agency,travel agent,travel agency,agentur,reiseburo,agencia,agente,agence,agence de voyages,agenzia,agenzia viaggi',
  ota: 'marketplace,viator,tripadvisor,getyourguide,get your guide,gyg,booking com,booking.com,expedia,klook,civitatis,musement,airbnb,tiqets,headout,hotelbeds',
  partner: 'reseller,wiederverkaufer,socio,hotel,revendeur,partenaire,rivenditore',
  walk_in: 'walk in,walkin,counter,laufkundschaft,schalter,mostrador',
  import: 'file,datei,archivo',
})

/** What a line says about its booking; `pending` and `on_hold` are not confirmed yet. */
export const bookingStatuses = ['confirmed', 'cancelled', 'pending', 'on_hold', 'no_show'] as const
export type BookingStatusWord = (typeof bookingStatuses)[number]

/** Words of exports in five languages; an amended booking is a confirmed one whose line says what it is now. */
export const statusWords = vocabulary<BookingStatusWord>({
  confirmed:
    'ok,booked,active,paid,confirm,completed,complete,normal,amended,modified,changed,updated,rebooked,accepted,approved,arrived,checked in,redeemed,new,bestatigt,gebucht,geandert,abgeschlossen,confirmada,confirmado,reservada,reservado,modificada,modificado,pagada,pagado,completada,confirmee,confirme,reservee,reserve,modifiee,modifie,confermata,confermato,prenotata,prenotato,modificata,modificato',
  cancelled:
    'canceled,cancel,cancellation,cxl,cxld,xx,void,voided,reversed,deleted,rejected,declined,storniert,storno,abgesagt,abgelehnt,cancelada,cancelado,anulada,anulado,annulee,annule,annulata,annullata,annullato,cancellata,cancellato',
  pending:
    'pending payment,pending confirmation,awaiting,awaiting confirmation,awaiting payment,requested,request,on request,unconfirmed,quote,draft,tentative,processing,ausstehend,angefragt,unbestatigt,pendiente,solicitada,en attente,in attesa,da confermare',
  on_hold: 'hold,held,option,reserviert,optioniert,retenida,en espera,en option,in opzione',
  no_show:
    'noshow,nicht erschienen,no presentado,no presentada,no se presento,absent,absente,non presentato,non presentata',
})

export const genderWords = vocabulary<Gender>({
  female:
    'f,w,woman,weiblich,frau,mujer,femenino,mrs,ms,miss,femme,feminin,mme,mlle,madame,donna,femmina,femminile,signora',
  male: 'm,man,mannlich,mann,herr,hombre,masculino,mr,homme,masculin,monsieur,uomo,maschio,maschile,signore',
  other: 'x,d,o,divers,diverse,non binary,nonbinary,nb,otro,otra',
})

export const dietWords = vocabulary<DietaryNeed>({
  vegetarian: 'veggie,veg,vegetarisch,vegetarier,vegetarierin,vegetariano,vegetariana,vegetarien,vegetarienne,vgml',
  vegan: 'vegan diet,vegano,vegana,vegane,vegetalien,vegetalienne',
  halal: 'moml',
  kosher: 'koscher,ksml',
  gluten_free:
    'gluten free,no gluten,celiac,coeliac,glutenfrei,zoliakie,sin gluten,celiaco,celiaca,sans gluten,coeliaque,senza glutine,gfml,gf',
  dairy_free:
    'dairy free,lactose free,lactose intolerant,no dairy,lactose,laktosefrei,laktoseintolerant,milchfrei,sin lactosa,sans lactose,senza lattosio,senza latticini,nlml,df',
  nut_allergy:
    'nuts,no nuts,nut,nut free,peanut allergy,nut allergies,nussallergie,keine nusse,alergia a los frutos secos,sin frutos secos,fruits a coque,allergie aux noix,allergie aux fruits a coque,frutta a guscio,allergia alla frutta a guscio',
  shellfish_allergy:
    'shellfish,no shellfish,seafood allergy,meeresfruchteallergie,schalentiere,alergia al marisco,sin marisco,crustaces,allergie aux crustaces,crostacei,allergia ai crostacei',
  other: 'andere,otro',
})

/** Words for "nothing special", which some forms put into every row. */
const nothing = new Set([
  'none',
  'no',
  'n a',
  'na',
  'nil',
  'normal',
  'standard',
  'keine',
  'kein',
  'nein',
  'ninguna',
  'ninguno',
  'aucun',
  'aucune',
  'rien',
  'non',
  'nessuno',
  'nessuna',
  'niente',
  'regular',
])
export const meansNothing = (text: string): boolean => nothing.has(wordKey(text)) || wordKey(text) === ''

export const mobilityWords = vocabulary<MobilityNeed>({
  none: 'fully mobile,ok,normal,keine,ninguna,no,aucune,non,nessuna',
  cane: 'walking stick,stick,stock,gehstock,baston,crutches,canne,bastone',
  wheelchair: 'wheel chair,rollstuhl,silla de ruedas,fauteuil roulant,sedia a rotelle,carrozzina,wchr,wchs,wchc',
  no_stairs: 'no steps,cannot climb stairs,keine treppen,sin escaleras,sans escaliers,senza scale',
  other: 'limited,andere,otra',
})

/** The codes of Tourplan (SG, TW, TR, QD, DB) among them. See docs/domain.md, "Imports". */
export const roomWords = vocabulary<RoomType>({
  SGL: 'sg,single,s,einzelzimmer,ez,individual,single room,chambre simple,singola,camera singola',
  DBL: 'db,double,d,doppelzimmer,dz,doble,double room,chambre double,doppia,camera doppia,matrimoniale,ot',
  TWN: 'tw,twin,t,zweibettzimmer,zb,dos camas,twin room,lits jumeaux,deux lits,due letti,letti separati',
  TRP: 'tr,tpl,triple,dreibettzimmer,triple room,chambre triple,tripla,camera tripla',
  QUAD: 'qd,quadruple,vierbettzimmer,cuadruple,quadrupla',
  DORM: 'dormitory,hostel,schlafsaal,dormitorio,dortoir',
  TENT: 'tents,zelt,tienda,camping,tente,tenda',
})

/** What the file's own list says of a word. The list is one for all columns: whether that is a meaning here, the reader decides. */
export function declaredIn(own: Readonly<Record<string, string>>, text: string): string | undefined {
  const key = wordKey(text)
  return Object.entries(own).find(([word]) => wordKey(word) === key)?.[1]
}

/** A word as the file's own list has it, or as everybody knows it. */
export function meaningOf<W extends string>(
  known: ReadonlyMap<string, W>,
  text: string,
  own: Readonly<Record<string, string>> = {},
): W | undefined {
  const key = wordKey(text)
  const declared = wordKey(declaredIn(own, text) ?? '')
  const meaning = known.get(declared)
  // a spelling is not enough: CH is Switzerland in another column, and a child here
  return meaning !== undefined && wordKey(meaning) === declared ? meaning : known.get(key)
}

const locales = ['en', 'de', 'es', 'fr', 'it'] as const

/** Names of every region and many languages, as the runtime knows them in the languages of files. */
function namesByIntl(type: 'region' | 'language', codes: readonly string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const locale of locales) {
    const display = new Intl.DisplayNames([locale], { type, fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)
      if (name !== undefined && !names.has(wordKey(name))) names.set(wordKey(name), code)
    }
  }
  return names
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes in use: those of countries that are gone (DD) lead to the ones that took their place. */
export const regionCodes = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)

/** Three-letter codes, as passports print them, of the countries that most guests come from. Source: ISO 3166-1 alpha-3. */
const alpha3 =
  'AE:ARE AR:ARG AT:AUT AU:AUS BE:BEL BG:BGR BR:BRA CA:CAN CH:CHE CL:CHL CN:CHN CO:COL CR:CRI CY:CYP CZ:CZE DE:DEU DK:DNK EC:ECU EE:EST EG:EGY ES:ESP FI:FIN FO:FRO FR:FRA GB:GBR GR:GRC HK:HKG HR:HRV HU:HUN ID:IDN IE:IRL IL:ISR IN:IND IR:IRN IS:ISL IT:ITA JP:JPN KE:KEN KR:KOR KW:KWT LI:LIE LK:LKA LT:LTU LU:LUX LV:LVA MA:MAR MT:MLT MX:MEX MY:MYS NL:NLD NO:NOR NP:NPL NZ:NZL PE:PER PH:PHL PK:PAK PL:POL PT:PRT QA:QAT RO:ROU RS:SRB RU:RUS SA:SAU SE:SWE SG:SGP SI:SVN SK:SVK TH:THA TN:TUN TR:TUR TW:TWN TZ:TZA UA:UKR UG:UGA US:USA UY:URY VE:VEN VN:VNM ZA:ZAF ZM:ZMB ZW:ZWE'

/** What else countries are called, and adjectives of nationality, in the languages of files. */
const otherCountryWords: Readonly<Record<string, string>> = {
  GB: 'uk,great britain,england,scotland,wales,british,english,scottish,welsh,grossbritannien,gran bretana,britisch,englisch,britanico,britanica,ingles,inglesa,britannique,anglais,anglaise,britannico,britannica,inglese',
  US: 'united states of america,america,american,usa,us american,amerikanisch,us amerikanisch,estadounidense,americain,americaine,americano,americana,statunitense',
  DE: 'german,deutsch,deutscher,deutsche,aleman,alemana,allemand,allemande,tedesco,tedesca',
  AT: 'austrian,osterreichisch,osterreicher,osterreicherin,austriaco,austriaca,autrichien,autrichienne',
  CH: 'swiss,schweizerisch,schweizer,schweizerin,suizo,suiza,suisse,svizzero,svizzera',
  NL: 'dutch,holland,niederlandisch,hollandisch,neerlandes,neerlandesa,holandes,holandesa,neerlandais,neerlandaise,hollandais,hollandaise,olandese',
  BE: 'belgian,belgisch,belga,belge',
  FR: 'french,franzosisch,franzose,franzosin,frances,francesa,francais,francaise,francese',
  ES: 'spanish,spanisch,spanier,spanierin,espanol,espanola,espagnol,espagnole,spagnolo,spagnola',
  IT: 'italian,italienisch,italiener,italienerin,italiano,italiana,italien,italienne',
  IE: 'irish,irisch,irlandes,irlandesa,irlandais,irlandaise,irlandese',
  CA: 'canadian,kanadisch,canadiense,canadien,canadienne,canadese',
  AU: 'australian,australisch,australiano,australiana,australien,australienne',
  NZ: 'new zealander,neuseelandisch,neozelandes,neozelandesa,neo zelandais,neo zelandaise,neozelandese',
  JP: 'japanese,japanisch,japones,japonesa,japonais,japonaise,giapponese',
  CN: 'chinese,chinesisch,chino,china,chinois,chinoise,cinese',
  IN: 'indian,indisch,indio,india,indien,indienne,indiano,indiana',
  BR: 'brazilian,brasilianisch,brasileno,brasilena,bresilien,bresilienne,brasiliano,brasiliana',
  PT: 'portuguese,portugiesisch,portugues,portuguesa,portugais,portugaise,portoghese',
  SE: 'swedish,schwedisch,sueco,sueca,suedois,suedoise,svedese',
  NO: 'norwegian,norwegisch,noruego,noruega,norvegien,norvegienne,norvegese',
  DK: 'danish,danisch,danes,danesa,danois,danoise,danese',
  FI: 'finnish,finnisch,finlandes,finlandesa,finlandais,finlandaise,finlandese',
  IS: 'icelandic,islandisch,islandes,islandesa,islandais,islandaise,islandese',
  PL: 'polish,polnisch,polaco,polaca,polonais,polonaise,polacco,polacca',
  MX: 'mexican,mexikanisch,mexicano,mexicana,mexicain,mexicaine,messicano,messicana',
  AR: 'argentinian,argentine,argentinisch,argentino,argentina',
  KR: 'korean,south korean,koreanisch,sudkoreanisch,coreano,coreana,coreen,coreenne',
  CZ: 'czech republic,czech,tschechische republik,tschechisch,checo,checa,tcheque,ceco,ceca',
  GR: 'greek,griechisch,griego,griega,grec,grecque,greco,greca',
  HU: 'hungarian,ungarisch,hungaro,hungara,hongrois,hongroise,ungherese',
  RU: 'russian,russisch,ruso,rusa,russe,russo,russa',
  TR: 'turkish,turkisch,turco,turca,turc,turque',
  UA: 'ukrainian,ukrainisch,ucraniano,ucraniana,ukrainien,ukrainienne,ucraino,ucraina',
  ZA: 'south african,sudafrikanisch,sudafricano,sudafricana,sud africain,sud africaine',
  IL: 'israeli,israelisch,israelien,israelienne,israeliano,israeliana',
}

let countries: Map<string, string> | undefined

/** Country by code, passport code or name; undefined for anything else. */
export function countryOf(text: string, own: Readonly<Record<string, string>> = {}): string | undefined {
  countries ??= countryNames()
  const declared = declaredIn(own, text)
  if (declared !== undefined && /^[A-Z]{2}$/.test(declared)) return declared
  return countries.get(wordKey(text))
}

function countryNames(): Map<string, string> {
  const names = namesByIntl('region', regionCodes)
  for (const code of new Set(names.values())) names.set(code.toLowerCase(), code)
  for (const entry of alpha3.split(' ')) {
    const [code = '', passport = ''] = entry.split(':')
    names.set(passport.toLowerCase(), code)
  }
  for (const [code, words] of Object.entries(otherCountryWords)) {
    for (const word of words.split(',')) names.set(wordKey(word), code)
  }
  return names
}

let languages: Map<string, string> | undefined

/** Language by tag or name; undefined for anything else. */
export function languageOf(text: string, own: Readonly<Record<string, string>> = {}): string | undefined {
  const declared = declaredIn(own, text)
  if (declared !== undefined && /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(declared)) return declared
  languages ??= namesByIntl('language', importLanguages)
  const named = languages.get(wordKey(text))
  if (named) return named
  const tag = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(text.trim())
  const language = tag?.[1]?.toLowerCase()
  if (!language || !importLanguages.includes(language)) return undefined
  return tag?.[2] ? `${language}-${tag[2].toUpperCase()}` : language
}
