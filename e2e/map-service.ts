/** Where journeys put their fake map service: the only host beside the server that its pages may load maps from. */
export const mapServicePort = 18_084
