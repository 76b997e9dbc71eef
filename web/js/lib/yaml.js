/** The YAML reader and writer are large, so they load on first use. */
import { later } from './later.js';

const fetchYaml = later(() => import('./yamltext.js'));

/** Throws a sentence if they do not load. */
export async function yamlTools() {
  const tools = await fetchYaml();
  if (!tools) throw new Error('The YAML reader could not be loaded.');
  return tools;
}
