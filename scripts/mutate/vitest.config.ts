import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

// The units of one room, which MUTATE_PROJECT names: the mutated copy of the contract is not the one that the other rooms import.
const projects = (base.test?.projects ?? []).filter(
  (project) => typeof project === 'object' && 'test' in project && project.test?.name === process.env['MUTATE_PROJECT'],
)

export default defineConfig({ ...base, test: { ...base.test, projects } })
