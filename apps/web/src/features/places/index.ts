// What other domains ask of places. The only way in.
export { TownField } from './town-field.tsx'
