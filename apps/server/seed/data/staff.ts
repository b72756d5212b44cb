import type { Role } from '@tour-ops/contract/identity/access'

type StaffKind = 'guide' | 'driver' | 'driver_guide' | 'tour_leader'

export interface DemoStaff {
  readonly code: string
  readonly firstName: string
  readonly lastName: string
  readonly kinds: readonly StaffKind[]
  readonly base: string
  readonly languages: readonly string[]
  readonly employment: 'employee' | 'freelance' | 'supplier'
  /** Tours by code that this person leads or drives, favourite first. */
  readonly tours: readonly string[]
}

const staff = (
  code: string,
  name: string,
  kinds: readonly StaffKind[],
  base: string,
  languages: string,
  employment: DemoStaff['employment'],
  tours: string,
): DemoStaff => {
  const [firstName = '', ...rest] = name.split(' ')
  return {
    code,
    firstName,
    lastName: rest.join(' '),
    kinds,
    base,
    languages: languages.split(' '),
    employment,
    tours: tours.split(' '),
  }
}

/** 29 people: 14 guides, 6 driver-guides, 7 drivers, 2 tour leaders. See docs/domain.md, "Demo organization". */
export const demoStaff: readonly DemoStaff[] = [
  staff('BJO', 'Björn Ólafsson', ['driver_guide'], 'bsi', 'is en de', 'employee', 'GOLD SOUTH'),
  staff('SIG', 'Sigrún Karlsdóttir', ['driver_guide'], 'bsi', 'is en', 'employee', 'GOLD NLIGHT'),
  staff('FRE', 'Freja Holm', ['guide'], 'bsi', 'da en is', 'employee', 'SOUTH NLIGHT'),
  staff('DAL', 'Dalia Haddad', ['guide'], 'bsi', 'en fr ar', 'employee', 'NLIGHT SOUTH'),
  staff('JON', 'Jón Þórsson', ['guide'], 'bsi', 'is en', 'freelance', 'SOUTH GOLD'),
  staff('OLA', 'Ólafur Kjartansson', ['driver'], 'bsi', 'is en', 'employee', 'KEFT'),
  staff('GIT', 'Gita Rao', ['driver_guide'], 'bsi', 'en hi', 'employee', 'KEFT GOLD'),
  staff('EIR', 'Eiríkur Jónsson', ['driver'], 'bsi', 'is en', 'supplier', 'SOUTH NLIGHT'),
  staff('INE', 'Inês Carvalho', ['guide'], 'arco', 'pt en es fr', 'employee', 'ALFA'),
  staff('TOM', 'Tomás Ferreira', ['guide'], 'rossio', 'pt en', 'employee', 'FOOD ALFA'),
  staff('HUG', 'Hugo Martín', ['driver_guide'], 'rossio', 'es en pt', 'employee', 'SINT'),
  staff('RUI', 'Rui Nogueira', ['driver_guide'], 'rossio', 'pt en', 'freelance', 'SINT'),
  staff('MAR', 'Marta Lopes', ['guide'], 'arco', 'pt en fr', 'freelance', 'ALFA FOOD'),
  staff('CLA', 'Clara Nunes', ['guide'], 'arco', 'pt es en', 'freelance', 'ALFA'),
  staff('LEE', 'Leela Gurung', ['guide'], 'pokhara', 'ne en hi', 'employee', 'ANNA POON'),
  staff('PAS', 'Pasang Sherpa', ['guide'], 'pokhara', 'ne en', 'employee', 'POON ANNA'),
  staff('MIN', 'Mingma Tamang', ['guide'], 'pokhara', 'ne en', 'supplier', 'POON'),
  staff('SUN', 'Sunita Rai', ['guide'], 'pokhara', 'ne en', 'supplier', 'ANNA'),
  staff('DIL', 'Dil Bahadur Thapa', ['tour_leader'], 'pokhara', 'ne en', 'employee', 'ANNA'),
  staff('EME', 'Emeka Obi', ['driver_guide'], 'arusha', 'en sw', 'employee', 'SAFA'),
  staff('NEE', 'Neema Mushi', ['guide'], 'arusha', 'sw en de', 'employee', 'SAFA'),
  staff('JOS', 'Joseph Mollel', ['guide'], 'arusha', 'sw en', 'supplier', 'SAFA'),
  staff('ANN', 'Anna Weiss', ['tour_leader'], 'arusha', 'de en', 'freelance', 'SAFA'),
  staff('KRI', 'Kristín Eva Pálsdóttir', ['guide'], 'bsi', 'is en fr', 'freelance', 'GOLD SOUTH'),
  staff('HEL', 'Helgi Sveinsson', ['driver'], 'bsi', 'is en', 'employee', 'LOOP'),
  staff('ARN', 'Arna Björk Einarsdóttir', ['driver'], 'bsi', 'is en', 'employee', 'LOOP'),
  staff('PIO', 'Piotr Zieliński', ['driver'], 'bsi', 'pl en is', 'employee', 'LOOP'),
  staff('KAT', 'Katla Steinsdóttir', ['driver'], 'bsi', 'is en de', 'employee', 'LOOP'),
  staff('STE', 'Stefán Orri Helgason', ['driver'], 'bsi', 'is en', 'employee', 'LOOP'),
]

export interface DemoVehicle {
  readonly label: string
  readonly plate: string
  readonly class: 'minibus' | 'coach' | '4x4' | 'van'
  readonly seats: number
  readonly wheelchairPlaces: number
  readonly tours: readonly string[]
}

const vehicle = (
  label: string,
  plate: string,
  kind: DemoVehicle['class'],
  seats: number,
  wheelchairPlaces: number,
  tours: string,
): DemoVehicle => ({ label, plate, class: kind, seats, wheelchairPlaces, tours: tours.split(' ') })

export const demoVehicles: readonly DemoVehicle[] = [
  vehicle('Coach 1', 'AA 101', 'coach', 52, 2, 'SOUTH'),
  vehicle('Coach 2', 'AA 102', 'coach', 52, 1, 'NLIGHT SOUTH'),
  vehicle('Minibus 3', 'AA 203', 'minibus', 20, 0, 'GOLD'),
  vehicle('Minibus 4', 'AA 204', 'minibus', 20, 1, 'GOLD'),
  vehicle('Van 1', 'AA 301', 'van', 9, 0, 'KEFT'),
  vehicle('Van 2', 'AA 302', 'van', 9, 0, 'KEFT'),
  vehicle('Van 3', 'AA 303', 'van', 9, 1, 'KEFT'),
  vehicle('Bus 7', 'AA 407', 'minibus', 14, 1, 'LOOP'),
  vehicle('Bus 8', 'AA 408', 'minibus', 14, 1, 'LOOP'),
  vehicle('Van 5', '12-AB-34', 'van', 9, 0, 'SINT'),
  vehicle('Van 6', '12-AB-36', 'van', 9, 0, 'SINT'),
  vehicle('4x4 1', 'T 101 DEM', '4x4', 7, 0, 'SAFA'),
  vehicle('4x4 2', 'T 102 DEM', '4x4', 7, 0, 'SAFA'),
]

/** The six accounts of the demo. */
export const demoAccounts: readonly { role: Role; name: string; staffCode?: string }[] = [
  { role: 'admin', name: 'Sigrún Hallsdóttir' },
  { role: 'operations_manager', name: 'Íris Jónsdóttir' },
  { role: 'dispatcher', name: 'Tomás Ferreira', staffCode: 'TOM' },
  { role: 'tour_designer', name: 'Leela Gurung', staffCode: 'LEE' },
  { role: 'guide', name: 'Björn Ólafsson', staffCode: 'BJO' },
  { role: 'viewer', name: 'Paula Stein' },
]

/** Published, so accounts with it may never be where others can reach the server. */
export const demoPassword = 'demo-operations'

export const demoEmail = (role: Role): string => `${role}@example.com`
