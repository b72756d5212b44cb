// What other domains use of places. The only entry.
export { TownField } from './town-field.tsx'
