/* `koikoi check-config`: checks the configuration as far as it can be without a network or a store.
 * Returns the exit status. */
#ifndef KOIKOI_CONFIG_MAIN_H
#define KOIKOI_CONFIG_MAIN_H

int check_config_main(int argc, char **argv);

#endif
