import { ownOrigins, type Config } from '../../config.ts'

/** Hosts from which a browser may sign in, each once. */
export const authorizedDomainsOf = (config: Config): readonly string[] => [
  ...new Set(ownOrigins(config).map((origin) => new URL(origin).hostname)),
]
