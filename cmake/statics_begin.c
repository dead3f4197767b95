/* Linked before the kernels of a module: the variables of its launchers begin here. See
 * harness/device/module_statics.h. */
#define OF_THIS_MODULE __attribute__((visibility("hidden")))

OF_THIS_MODULE unsigned char assay_statics_data_begin[1] = { 1 };
OF_THIS_MODULE unsigned char assay_statics_zero_begin[1];
